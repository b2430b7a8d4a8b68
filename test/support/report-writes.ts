// Stores that call back after each write, so that a test can stop a program after any single write.
import type { EventTriggers } from '#shared/dynamo/event-triggers.ts';
import type { Stores } from '#shared/dynamo/stores.ts';

/** Called after every write and every send; throws to crash the function at that point. */
export type AfterStep = (step: string) => void;

const reads =
  /^(find|due|active|scheduled|after|newest|list|overdue|seriesOf|shardsOf|latest|between|read|current|of|settings|spent|armed|unsent)/;

const endsEdit = /^(record|remove)$/;

/** The same stores; each method that writes calls back when the write is done. */
export function reportWrites(stores: Stores, afterStep: AfterStep): Stores {
  const reporting = Object.entries(stores).map(([name, store]) => {
    const methods = Object.entries(store as Record<string, (...a: unknown[]) => Promise<unknown>>);
    const wrapped = methods.map(([method, call]) => {
      if (reads.test(method)) return [method, call] as const;
      if (method === 'forEvent') return [method, reportMoves(call as never, afterStep)] as const;
      const reportingCall = async (...args: unknown[]) => {
        if (method === 'finish') afterStep('mail accepted');
        if (name === 'livingMessages' && endsEdit.test(method)) afterStep('edit accepted');
        const answer = await call(...args);
        afterStep(`${name}.${method}`);
        return answer;
      };
      return [method, reportingCall] as const;
    });
    return [name, Object.fromEntries(wrapped)] as const;
  });
  return Object.fromEntries(reporting) as unknown as Stores;
}

function reportMoves(forEvent: Stores['triggers']['forEvent'], afterStep: AfterStep) {
  return (...terms: Parameters<typeof forEvent>): EventTriggers => {
    const triggers = forEvent(...terms);
    return {
      ...triggers,
      move: async (next) => {
        const moved = await triggers.move(next);
        afterStep('triggers.move');
        return moved;
      },
    };
  };
}
