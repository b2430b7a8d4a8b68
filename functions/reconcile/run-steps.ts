// Runs steps one after the other; one that fails is reported and keeps none of the others from running.

export type Steps = Readonly<Record<string, () => Promise<unknown>>>;
export type OnStepFailed = (step: string, error: unknown) => void;

/** @returns what each step answered, by its name; a step that failed is missing. */
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
