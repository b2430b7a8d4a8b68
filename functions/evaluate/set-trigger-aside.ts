// Sets aside a trigger that permanently fails, so that other triggers still alert: records the fault on the
// trigger and on its watch, where its owner sees it. Removes both records when the trigger works again.

import type { EventTriggers } from '#shared/dynamo/event-triggers.ts';
import type { UnreadableTrigger } from '#shared/dynamo/trigger-item.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import type { Trigger } from '#shared/rules/trigger.ts';

interface SetTriggerAsideDeps {
  watches: Pick<WatchStore, 'noteFault'>;
  /** The release that this process runs. */
  release: string;
}

export interface TriggerFaults {
  /**
   * Sets a trigger aside.
   * @throws the error itself when it is transient; then the whole run must be retried.
   */
  setAside(
    triggers: EventTriggers,
    fault: { trigger: Trigger | UnreadableTrigger; error: unknown; now: number },
  ): Promise<void>;
  /** Removes the records of a fault, if there are any, after the trigger has worked. */
  clear(triggers: EventTriggers, trigger: Trigger): Promise<void>;
}

/** The use case; each record is one conditional write, so a repeat is harmless. */
export function createTriggerFaults(deps: SetTriggerAsideDeps): TriggerFaults {
  const { watches, release } = deps;
  return {
    async setAside(triggers, { trigger, error, now }) {
      if (isTransient(error)) throw error;
      const { triggerId, watchId } = trigger;
      const reason = reasonOf(error);
      reportFault({
        thing: 'trigger',
        reason,
        ids: { triggerId, ...(watchId !== undefined && { watchId }) },
        error,
      });
      const record = await triggers.setAside(trigger, { reason, release, now });
      if (record && watchId !== undefined) await noteOnWatch(watchId, triggerId, record);
    },

    async clear(triggers, trigger) {
      const { triggerId, watchId } = trigger;
      if (triggers.faultOf(triggerId)) await noteOnWatch(watchId, triggerId, undefined);
    },
  };

  /** If the watch can't store the record, that fault is reported and the run continues. */
  async function noteOnWatch(...note: Parameters<WatchStore['noteFault']>): Promise<void> {
    try {
      await watches.noteFault(...note);
    } catch (error) {
      if (isTransient(error)) throw error;
      const [watchId] = note;
      reportFault({ thing: 'stored_item', reason: reasonOf(error), ids: { watchId }, error });
    }
  }
}
