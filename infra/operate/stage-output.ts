/** One output of a stage's stack, for the commands that work on what is deployed. */
import type { Stage } from '../config.ts';
import { OperatorError, stackNameOf } from './command.ts';
import { placeOf } from './place.ts';
import { outputsOf } from './stack.ts';

/** @throws OperatorError in another account than the stage's, and without the stack or the output */
export async function outputOfStage(stage: Stage, output: string): Promise<string> {
  const { accountId, region } = await placeOf(stage);
  const stackName = stackNameOf(stage);
  const value = (await outputsOf(stackName))?.get(output);
  if (value !== undefined) return value;
  throw new OperatorError(
    `Stack ${stackName} in account ${accountId}, ${region}, has no ${output}. Deploy it first.`,
  );
}
