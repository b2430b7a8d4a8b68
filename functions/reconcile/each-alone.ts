// Does a step's work on each of its items, so that the permanent fault of one costs the others nothing: it
// is reported, and the step goes on. A transient failure ends the step; the next run does it again.
import { reasonOf, reportFault } from '#shared/lambda/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';

/** Where an item's fault is, as its report says it. */
interface Place {
  step: string;
  ids: Readonly<Record<string, string | number>>;
}

/** @returns what the work answered; undefined where it failed for good. */
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
