"""Counts what the calls of a generated client gave against what was wanted."""


class Tally:
    def __init__(self, client):
        self.client = client
        self.passed = 0
        self.failures = []

    def check(self, what, got, want):
        if got == want:
            self.passed += 1
        else:
            self.failures.append(f"failed: {self.client}, {what}: got {got!r}, want {want!r}")

    def finish(self):
        """Prints the findings and the counts; the exit code."""
        counts = f"{self.client}: {self.passed} passed, {len(self.failures)} failed"
        print("\n".join([*self.failures, counts]))
        return 1 if self.failures else 0
