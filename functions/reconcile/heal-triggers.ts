// Compares a watch's stored triggers with what its rules compile to, and restores each difference: a
// trigger that is missing, unreadable, not in its index, or not what the rule asks.

import type { EventFactsStore } from '#shared/dynamo/event-facts.ts';
import { isWholeTrigger } from '#shared/dynamo/trigger-item.ts';
import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { reportFault } from '#shared/fault-report.ts';
import { asksTheSame } from '#shared/rules/edit.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import type { Trigger, TriggerIdentity, TriggerSpec } from '#shared/rules/trigger.ts';
import { type ApplyWatchChange, triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { PutBack } from './put-back.ts';

interface HealTriggersDeps {
  triggers: Pick<TriggerStore, 'inspect' | 'edit' | 'faultOf' | 'shardsOf' | 'coverShard'>;
  watches: Pick<WatchStore, 'find' | 'noteFault'>;
  eventFacts: Pick<EventFactsStore, 'find'>;
  /** Carries the watch's rules through again. */
  applyWatchChange: ApplyWatchChange;
  putBack: PutBack;
}

type Wanted = TriggerIdentity & Partial<TriggerSpec>;
type Fault = 'is gone' | "can't be read" | 'is not what its rule says';

/** @returns whether anything of an active watch was restored; `now` is epoch milliseconds. */
export type HealTriggers = (watch: Watch, now: number) => Promise<boolean>;

/** The use case: a read per trigger, and writes only where something differs. */
export function createHealTriggers(deps: HealTriggersDeps): HealTriggers {
  const { triggers, watches, applyWatchChange, putBack } = deps;

  return async function healTriggers(watch, now) {
    if (watch.unsettled || watch.status !== 'active') return false;
    const all = watch.rules.flatMap((rule) => triggersWantedBy(watch, rule));
    const found = await Promise.all(
      all.map(async ({ spec, identity }) => {
        const fault = await faultOf({ ...spec, ...identity }, now);
        const further = spec.repeat === null ? false : await healFurther(spec, identity, now);
        return { fault, further, isOver: isExpired(spec, now), triggerId: identity.triggerId };
      }),
    );
    const isHealed = found.some(({ fault, further }) => fault === 'put back' || further);
    const faulty = found.flatMap(({ fault, isOver, triggerId }) =>
      fault === undefined || fault === 'put back' || (isOver && fault === 'is gone')
        ? []
        : [{ triggerId, fault }],
    );
    const isPast =
      faulty.some(({ fault }) => fault === 'is gone') && (await hasStarted(watch, now));
    const restorable = faulty.filter(({ fault }) => !(isPast && fault === 'is gone'));
    if (restorable.length === 0) return isHealed;
    return (await restore(watch, restorable, now)) || isHealed;
  };

  /** Without the count of the event's triggers, only its first shard is evaluated. */
  async function healShard({ triggerId, eventId, shard }: Trigger): Promise<void> {
    if (shard === undefined || shard < (await triggers.shardsOf(eventId))) return;
    if (!(await triggers.coverShard(eventId, shard))) return;
    const reason = "The count of the event's triggers was lost: all shards are evaluated again";
    reportFault({ thing: 'stored_item', reason, ids: { eventId, triggerId } });
  }

  async function faultOf(wanted: Wanted, now: number): Promise<Fault | 'put back' | undefined> {
    const raw = await triggers.inspect(wanted.triggerId);
    if (!raw) return 'is gone';
    if (!isWholeTrigger(raw)) return "can't be read";
    await healShard(raw.trigger);
    // A deletion that crashed may park a trigger after its watch was restored.
    const isParked = raw.isParked === true;
    if (isParked || !asksTheSame(raw.trigger, wanted, now)) return 'is not what its rule says';
    return (await putBack(raw, now)) ? 'put back' : undefined;
  }

  /** It exists only while its main trigger is fired, and takes its level from that firing. */
  async function healFurther(
    { series, direction }: TriggerSpec,
    identity: TriggerIdentity,
    now: number,
  ): Promise<boolean> {
    const triggerId = furtherTriggerId(identity.triggerId);
    const wanted = { ...identity, triggerId, series, direction };
    const fault = await faultOf(wanted, now);
    if (fault !== 'is not what its rule says') return fault === 'put back';
    report(wanted, fault);
    return triggers.edit(triggerId, (trigger) => ({ ...trigger, ...wanted }));
  }

  async function restore(
    watch: Watch,
    faulty: readonly { triggerId: string; fault: Fault }[],
    now: number,
  ): Promise<boolean> {
    // The owner may have changed the watch after this read.
    const current = await watches.find(watch.watchId);
    if (current?.version !== watch.version || current.unsettled) return false;
    const { watchId } = watch;
    for (const { triggerId, fault } of faulty) {
      report({ triggerId, watchId }, fault);
      if (fault !== 'is gone') await renewIfSetAside(triggerId);
    }
    await applyWatchChange(current, now);
    for (const { triggerId } of faulty) await watches.noteFault(watchId, triggerId, undefined);
    return true;
  }

  /** A trigger may have failed after it raised its alert: its next alert needs an id of its own. */
  async function renewIfSetAside(triggerId: string): Promise<void> {
    if ((await triggers.faultOf(triggerId)) === undefined) return;
    await triggers.edit(triggerId, (trigger) => ({
      ...trigger,
      generation: trigger.generation + 1,
    }));
  }

  async function hasStarted({ eventId }: Watch, now: number): Promise<boolean> {
    const start = startOf(await deps.eventFacts.find(eventId));
    return start !== null && start <= now;
  }
}

/** Triggers are removed when their rule expires. */
function isExpired({ gates: { expiresAt } }: TriggerSpec, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function report({ triggerId, watchId }: Pick<Wanted, 'triggerId' | 'watchId'>, fault: Fault): void {
  reportFault({
    thing: 'trigger',
    reason: `The stored trigger ${fault}: it is restored from its rule`,
    ids: { triggerId, watchId },
  });
}
