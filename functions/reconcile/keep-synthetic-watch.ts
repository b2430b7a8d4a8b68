// Keeps the synthetic watch: makes it, arms its trigger again in each slot of ten minutes, and removes it when the
// deployment names no event, or another one.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { SubscriptionStore } from '#shared/dynamo/subscriptions.ts';
import type { TriggerStore } from '#shared/dynamo/triggers.ts';
import type { WatchStore } from '#shared/dynamo/watches.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import {
  syntheticAddress,
  syntheticChannelId,
  syntheticEveryMs,
  syntheticLatencySeconds,
  syntheticOwnerId,
  syntheticWatch,
  syntheticWatchId,
} from '#shared/watchlist/synthetic-watch.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';

interface KeepSyntheticDeps {
  watches: Pick<WatchStore, 'create' | 'find' | 'remove'>;
  channels: Pick<ChannelStore, 'create' | 'remove'>;
  subscriptions: Pick<SubscriptionStore, 'add' | 'end'>;
  triggers: Pick<TriggerStore, 'create' | 'remove'>;
  feeds: Pick<FeedStore, 'find' | 'wake'>;
  sendNudge: (message: EvaluateMessage) => Promise<void>;
}

/** What the step did; `idle` if its slot had its proof begun before. */
export type SyntheticStep = 'off' | 'idle' | 'armed' | 'removed';

/**
 * The step, over the event of the deployment's setting. Each write may be repeated: two runs of one slot arm one
 * generation, so they raise one alert.
 */
export function createKeepSyntheticWatch(deps: KeepSyntheticDeps, eventId: number | undefined) {
  return async function keepSyntheticWatch(now: number): Promise<SyntheticStep> {
    const watch = await deps.watches.find(syntheticWatchId);
    if (watch && watch.eventId !== eventId) await remove(deps, watch);
    if (eventId === undefined) return watch ? 'removed' : 'off';
    const kept = watch?.eventId === eventId ? watch : await make(deps, eventId, now);
    return arm(deps, kept, now);
  };
}

/** The watch is stored last, so that the next run goes on after a crash. */
async function make(deps: KeepSyntheticDeps, eventId: number, now: number): Promise<Watch> {
  const watch = syntheticWatch(eventId, now);
  const { watchId, ownerId } = watch;
  await deps.channels.create({
    ...{ channelId: syntheticChannelId, ownerId: syntheticOwnerId, name: 'synthetic watch' },
    target: { kind: 'email', address: syntheticAddress },
    ...{ status: 'active', isImmediate: true, staleAlerts: 'send' },
    ...{ watchesSilentUntil: {}, stopUrl: '', createdAt: watch.createdAt },
  });
  for (const feed of feedsWantedBy(watch)) {
    await deps.subscriptions.add({ eventId, watchId, ownerId, ...feed }, now);
  }
  await deps.watches.create(watch);
  return watch;
}

/**
 * Arms the trigger as if its rule were new. The slot is its generation, so each slot raises an alert with an id of
 * its own, whatever the price does.
 */
async function arm(deps: KeepSyntheticDeps, watch: Watch, now: number): Promise<SyntheticStep> {
  const generation = Math.floor(now / syntheticEveryMs);
  const armed = watch.rules
    .flatMap((rule) => triggersWantedBy(watch, rule))
    .map(({ spec, identity }) =>
      deps.triggers.create({ ...createTrigger(spec, identity, now), generation }),
    );
  if (!(await Promise.all(armed)).includes(true)) return 'idle';
  for (const { kind } of feedsWantedBy(watch)) {
    const feed = { eventId: watch.eventId, kind };
    await wakeIfOld(deps, feed, now);
    await deps.sendNudge(feed);
  }
  return 'armed';
}

/** A short budget would stretch the feed beyond the time for which its price counts as current. */
async function wakeIfOld(
  { feeds }: KeepSyntheticDeps,
  { eventId, kind }: EvaluateMessage,
  now: number,
): Promise<void> {
  const feed = await feeds.find(eventId, kind);
  if (feed?.status !== 'active') return;
  const isOld = now - (feed.lastPolledAt ?? 0) >= syntheticLatencySeconds * 1_000;
  if (isOld) await feeds.wake({ eventId, kind }, syntheticLatencySeconds, now, feed);
}

async function remove(deps: KeepSyntheticDeps, watch: Watch): Promise<void> {
  const { watchId, eventId } = watch;
  for (const { triggerIds } of watch.rules) {
    for (const triggerId of triggerIds) await deps.triggers.remove(triggerId);
  }
  for (const feed of feedsWantedBy(watch)) {
    await deps.subscriptions.end({ eventId, watchId, ...feed });
  }
  await deps.channels.remove(syntheticChannelId);
  await deps.watches.remove(watchId);
}
