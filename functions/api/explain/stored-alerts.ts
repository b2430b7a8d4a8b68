// Reads the alerts that a rule has raised since a time, by their ids: an alert's id is made of its trigger and
// the trigger's generation, so no other watch's alerts are read.
import { type Alert, alertIdOf, recoveryIdOf } from '#shared/alerts/alert.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import { FURTHER_GENERATIONS } from '#shared/rules/transitions.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import { unlessDamaged } from '../watches/unless-damaged.ts';

/** Ids asked for at once, and the most of one trigger. */
const lotSize = 25;
const mostOfTrigger = 1_000;

export interface FoundAlerts {
  /** Oldest first. */
  alerts: Alert[];
  /** False if one of them is damaged, or there are more than one answer reads. */
  isWhole: boolean;
}

/** @param triggers of one rule, as they are stored now. @param since of the market's time, epoch milliseconds. */
export async function readStoredAlerts(
  { alerts }: Pick<Stores, 'alerts'>,
  triggers: readonly Trigger[],
  since: number,
): Promise<FoundAlerts> {
  const found = new Map<string, Alert>();
  let isWhole = true;

  async function read(ids: readonly string[]): Promise<Alert[]> {
    const read = await Promise.all(
      ids.map((id) =>
        unlessDamaged(alerts.find(id), () => {
          isWhole = false;
        }),
      ),
    );
    const there = read.filter((alert) => alert !== undefined);
    for (const alert of there) found.set(alert.alertId, alert);
    return there;
  }

  /** From the newest generation down, until a whole lot is older or missing. */
  async function readDown(trigger: Trigger): Promise<Alert[]> {
    const own: Alert[] = [];
    for (let top = trigger.generation; top > 0; top -= lotSize) {
      if (own.length >= mostOfTrigger) {
        isWhole = false;
        return own;
      }
      const lot = Array.from({ length: Math.min(lotSize, top) }, (_, back) => top - back);
      const ids = lot.flatMap((generation) => idsOf(trigger, generation));
      const there = await read(ids);
      own.push(...there);
      // One alert from before `since` is wanted too: it says how the trigger stood then.
      if (there.length === 0 || there.some(({ observedAt }) => observedAt < since)) return own;
    }
    return own;
  }

  for (const trigger of triggers.filter(({ role }) => role !== 'further')) {
    const own = await readDown(trigger);
    if (trigger.repeat === null) continue;
    const firings = own.filter(({ role }) => role === 'main');
    for (const { alertId } of firings) await readFurther(trigger.triggerId, alertId, read);
  }
  const sorted = [...found.values()].sort((a, b) => a.observedAt - b.observedAt);
  return { alerts: sorted, isWhole };
}

function idsOf({ triggerId, tellRecovery }: Trigger, generation: number): string[] {
  const id = alertIdOf(triggerId, generation);
  return tellRecovery ? [id, recoveryIdOf(triggerId, generation)] : [id];
}

/** The further steps of one firing, which are numbered from its generation on. */
async function readFurther(
  mainId: string,
  alertId: string,
  read: (ids: readonly string[]) => Promise<Alert[]>,
): Promise<void> {
  const generation = Number(alertId.slice(alertId.lastIndexOf('_') + 1));
  const first = generation * FURTHER_GENERATIONS + 1;
  const further = furtherTriggerId(mainId);
  for (let from = first; from < first + mostOfTrigger; from += lotSize) {
    const ids = Array.from({ length: lotSize }, (_, index) => alertIdOf(further, from + index));
    if ((await read(ids)).length < lotSize) return;
  }
}
