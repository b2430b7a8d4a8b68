// Runs a step's work on each of its items, so that a permanent fault of one does not affect the others: it
// is reported, and the step continues. A transient failure ends the step; the next run repeats it.
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';

/** Where an item's fault is, for its report. */
interface Place {
  step: string;
  ids: Readonly<Record<string, string | number>>;
}

/** @returns the result of the work; undefined if it failed permanently. */
export async function alone<Answer>(
  { step, ids }: Place,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isTransient(error)) throw error;
    const reason = `${step}: ${reasonOf(error)}`;
    reportFault({ thing: 'reconcile_item', reason, ids: { step, ...ids }, error });
    return undefined;
  }
}
