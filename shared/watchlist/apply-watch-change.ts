// Applies a change of a watch to its feed subscriptions and to the triggers of its rules. It is idempotent,
// so it also restores damaged stored triggers of a watch.

import type { QuotaStore } from '#shared/dynamo/quotas.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { editTrigger, withIdentity } from '#shared/rules/edit.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import {
  createTrigger,
  siblingOf,
  type TriggerIdentity,
  type TriggerSpec,
} from '#shared/rules/trigger.ts';
import { feedsWantedBy, type WantedFeed, type Watch, type WatchRule } from './watch.ts';
import { restorableUntil } from './watch-version.ts';

export interface ApplyWatchChangeDeps {
  watches: Pick<WatchStore, 'find' | 'settled' | 'settledUntil' | 'remove'>;
  subscriptions: Pick<SubscriptionStore, 'add' | 'end'>;
  triggers: Pick<TriggerStore, 'create' | 'edit' | 'park' | 'remove'>;
  quotas: Pick<QuotaStore, 'give'>;
}

/** After this many concurrent changes of the watch, leave the rest to reconcile. */
const mostTries = 10;

export type ApplyWatchChange = (watch: Watch, now: number) => Promise<void>;

/**
 * The use case; `now` is epoch milliseconds. If the watch changed meanwhile, its newest version is applied
 * again, because this run may have written parts of the older version.
 */
export function createApplyWatchChange(deps: ApplyWatchChangeDeps): ApplyWatchChange {
  return async function settleWatch(watch, now) {
    let current: Watch | undefined = watch;
    for (let attempt = 0; current && attempt < mostTries; attempt += 1) {
      const purgeAt = purgeTime(current);
      if (purgeAt !== undefined && purgeAt <= now) return removeForGood(deps, current);
      await apply(deps, current, now);
      if (await finish(deps, current, { purgeAt, now })) return;
      current = await deps.watches.find(watch.watchId);
    }
  };
}

async function apply(deps: ApplyWatchChangeDeps, watch: Watch, now: number): Promise<void> {
  const { watchId, ownerId, eventId, unsettled } = watch;
  const wanted = feedsWantedBy(watch);
  for (const feed of wanted)
    await deps.subscriptions.add({ eventId, watchId, ownerId, ...feed }, now);
  for (const feed of unsettled?.feeds ?? []) {
    if (!wanted.some((each) => isSame(each, feed))) {
      await deps.subscriptions.end({ eventId, watchId, ...feed });
    }
  }
  for (const rule of watch.rules) {
    if (watch.removedAt === undefined) await applyRule(deps, watch, rule, now);
    else await parkRule(deps, watch, rule);
  }
  for (const triggerId of unsettled?.triggerIds ?? []) await removeTrigger(deps, triggerId);
}

async function applyRule(
  { triggers }: ApplyWatchChangeDeps,
  watch: Watch,
  rule: WatchRule,
  now: number,
): Promise<void> {
  for (const { spec, identity } of triggersWantedBy(watch, rule)) {
    const { triggerId } = identity;
    const isThere = await triggers.edit(triggerId, (trigger) =>
      editTrigger(withIdentity(trigger, identity, now), spec, now),
    );
    // The further trigger of a watch that was deleted and is restored comes back with its main one.
    if (isThere && spec.repeat !== null) {
      await triggers.edit(furtherTriggerId(triggerId), (trigger) => trigger);
    }
    if (isThere) continue;
    const trigger = createTrigger(spec, identity, now);
    // A lost trigger has raised alerts, and new alerts must not reuse their ids. A trigger arms at most once
    // per snapshot, so its generation is below the number of seconds.
    const generation = watch.unsettled ? 1 : Math.floor(now / 1_000);
    await triggers.create({ ...trigger, generation });
  }
}

/** Takes the triggers of a deleted watch out of matching; they keep their state in case it is restored. */
async function parkRule(
  { triggers }: ApplyWatchChangeDeps,
  watch: Watch,
  rule: WatchRule,
): Promise<void> {
  for (const { spec, identity } of triggersWantedBy(watch, rule)) {
    await triggers.park(identity.triggerId);
    if (spec.repeat !== null) await triggers.park(furtherTriggerId(identity.triggerId));
  }
}

/** The triggers that a rule should have. */
export function triggersWantedBy(
  { watchId, ownerId, eventId, shard }: Pick<Watch, 'watchId' | 'ownerId' | 'eventId' | 'shard'>,
  { ruleId, rule, triggerIds }: WatchRule,
): { spec: TriggerSpec; identity: TriggerIdentity }[] {
  const specs = compileRule(rule);
  return triggerIds.flatMap((triggerId, index) => {
    const spec = specs[index];
    const sibling = siblingOf(triggerIds.slice(0, specs.length), triggerId);
    const place = shard === undefined ? {} : { shard };
    const identity = { triggerId, ruleId, watchId, ownerId, eventId, ...sibling, ...place };
    return spec ? [{ spec, identity }] : [];
  });
}

async function removeTrigger({ triggers }: ApplyWatchChangeDeps, triggerId: string): Promise<void> {
  await triggers.remove(triggerId);
  await triggers.remove(furtherTriggerId(triggerId));
}

/** A request that restores the watch may be under way until this long after the last time to restore it. */
const purgeDelayMs = 3_600_000;

function purgeTime(watch: Watch): number | undefined {
  const until = restorableUntil(watch);
  return until === undefined ? undefined : until + purgeDelayMs;
}

/** A bought watch stays in the index, so that reconcile tells its recap when the event is over. */
async function finish(
  deps: ApplyWatchChangeDeps,
  watch: Watch,
  { purgeAt, now }: { purgeAt: number | undefined; now: number },
): Promise<boolean> {
  if (purgeAt !== undefined) return retire(deps, watch, purgeAt);
  return watch.bought ? deps.watches.settledUntil(watch, now) : deps.watches.settled(watch);
}

/** @returns false when the watch was changed since, so that its newest version must be applied. */
async function retire(deps: ApplyWatchChangeDeps, watch: Watch, purgeAt: number): Promise<boolean> {
  const { ownerId, rules } = watch;
  if (!(await deps.watches.settledUntil(watch, purgeAt))) return false;
  // The run that records the removal returns its quota; if it crashes first, the recount corrects the quota.
  if (watch.unsettled === undefined) return true;
  await deps.quotas.give(ownerId, 'watches', 1);
  await deps.quotas.give(ownerId, 'rules', rules.length);
  return true;
}

/** Its triggers stayed with it, so that a restored watch does not alert again about what it has announced. */
async function removeForGood(deps: ApplyWatchChangeDeps, watch: Watch): Promise<void> {
  for (const { triggerIds } of watch.rules) {
    for (const triggerId of triggerIds) await removeTrigger(deps, triggerId);
  }
  await deps.watches.remove(watch.watchId);
}

function isSame(a: WantedFeed, b: WantedFeed): boolean {
  return a.kind === b.kind && a.latencySeconds === b.latencySeconds;
}
