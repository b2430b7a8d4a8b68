// Runs steps in sequence; a step that fails is reported, and the others still run.

export type Steps = Readonly<Record<string, () => Promise<unknown>>>;
export type OnStepFailed = (step: string, error: unknown) => void;

/** @returns each step's result by its name; a failed step is missing. */
export async function runSteps(
  steps: Steps,
  onStepFailed: OnStepFailed,
): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const [name, step] of Object.entries(steps)) {
    try {
      results[name] = await step();
    } catch (error) {
      onStepFailed(name, error);
    }
  }
  return results;
}
