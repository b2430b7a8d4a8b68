// Whether an odd watch works or shows why it does not: it was told of the last price, or has trouble, or its
// damaged item was just reported; of odd settings, every trigger is what its rule compiles to.
import { createPresentState } from '#functions/api/watches/present-state.ts';
import { createReadTroubles } from '#functions/api/watches/read-troubles.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { displacementOf } from '#shared/dynamo/index-places.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { isWholeTrigger } from '#shared/dynamo/trigger-item.ts';
import type { FaultReport } from '#shared/fault-report.ts';
import { asksTheSame } from '#shared/rules/edit.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { OwnDamage } from './damages.ts';
import type { Pipeline } from './pipeline.ts';

export interface OddWatch {
  ownerId: string;
  channelId: string;
  damage: OwnDamage | undefined;
  /** What was damaged in which item; without it, the settings are odd. */
  damaged?: string | undefined;
  /** As it was made. */
  watch: Watch;
}

/**
 * @param last.since from when a watch that works was told of the last price, epoch milliseconds.
 * @param last.price in cents.
 * @param last.faults those reported since.
 */
export function createNotSilent(
  stores: Stores,
  { clock, sent }: Pipeline,
  last: { since: number; price: number; faults: readonly FaultReport[] },
) {
  const loadHistory = createLoadHistory(stores);
  const presentState = createPresentState({ stores, loadHistory });
  const readTroubles = createReadTroubles({ stores, presentState });

  /** What is wrong with it, in words; nothing where it works or says why not. */
  return async function silenceOf({ ownerId, channelId, damaged, watch }: OddWatch) {
    const { watchId, rules } = watch;
    const stored = await orMissing(stores.watches.find(watchId));
    if (stored && (await troublesOf(stored)).length > 0) return [];
    // With another valid event id it is a watch on that event, and works there.
    if (stored && stored.eventId !== watch.eventId) return [];
    if (damaged === undefined) return unlikeTheirRules(stored ?? watch);
    const ids = [watchId, ownerId, channelId, ...rules.flatMap(({ triggerIds }) => triggerIds)];
    const isReported = last.faults.some((fault) => ids.some((id) => says(fault, id)));
    const isTold = sent.some(
      ({ alert }) =>
        alert.watchId === watchId && alert.value === last.price && alert.observedAt >= last.since,
    );
    return isTold || isReported ? [] : [`is silent: ${damaged}`];
  };

  async function troublesOf(watch: Watch) {
    return (await readTroubles([watch], clock.now)).get(watch.watchId) ?? [];
  }

  /** The triggers that don't ask what their rules ask, are out of their places or were never looked at. */
  async function unlikeTheirRules(watch: Watch): Promise<string[]> {
    const found: string[] = [];
    for (const rule of watch.rules) {
      for (const { spec, identity } of triggersWantedBy(watch, rule)) {
        const { expiresAt } = spec.gates;
        if (expiresAt !== null && expiresAt <= clock.now) continue;
        const raw = await stores.triggers.inspect(identity.triggerId);
        const says = `${JSON.stringify(rule.rule)}: ${JSON.stringify(raw)}`;
        if (!raw || !isWholeTrigger(raw)) found.push(`has no trigger ${says}`);
        else if (!asksTheSame(raw.trigger, { ...spec, ...identity }, clock.now)) {
          found.push(`asks something else ${says}`);
        } else if (displacementOf(raw, clock.now)) found.push(`is out of its place ${says}`);
        else if (raw.trigger.state === 'new') found.push(`was never looked at ${says}`);
      }
    }
    return found;
  }
}

function says({ ids = {} }: FaultReport, id: string): boolean {
  return Object.values(ids).some((value) => String(value).includes(id));
}
