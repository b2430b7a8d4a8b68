// An owner with many watches, each on an event of its own that was polled; written by the stores.
import type { Stores } from '#shared/dynamo/stores.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { newWatchSchema } from '#shared/watchlist/watch-request.ts';
import { levelRule, startMs, statsAt } from './api.ts';
import { storePolled } from './polled-event.ts';

const digits = (n: number) => String(n).padStart(32, '0');

/** Stores the nth watch: one level rule, armed, on event `n`. */
export async function storeWatch(
  stores: Stores,
  { ownerId, channelId, n }: { ownerId: string; channelId: string; n: number },
): Promise<void> {
  const wanted = newWatchSchema.parse({ event_id: n, rules: [levelRule(50 + (n % 100))] });
  const rules = wanted.rules.map((rule) => ({
    ...{ ruleId: `rul_${digits(n)}`, rule },
    triggerIds: compileRule(rule).map((_, index) => `trg_${digits(n * 10 + index)}`),
  }));
  const createdAt = new Date(startMs).toISOString();
  const watch: Watch = {
    ...{ watchId: `wat_${digits(n)}`, ownerId, eventId: n, rules, channelIds: [channelId] },
    ...{ status: 'active', latencySeconds: 600, version: 1, createdAt, updatedAt: createdAt },
  };
  const { watchId, latencySeconds } = watch;
  const subscription = { eventId: n, kind: 'stats', watchId, ownerId, latencySeconds } as const;
  await stores.eventFacts.keep({
    ...{ eventId: n, name: `Knicks, game ${n}`, date: '2026-05-01', performer: 'New York Knicks' },
    ...{ venueName: 'Madison Square Garden', venueCity: 'New York', updatedAt: 1 },
  });
  await stores.subscriptions.add(subscription, startMs);
  const hour = startMs / 3_600_000;
  const recent = {
    hour,
    cents: Array.from({ length: 25 }, (_, back) => 9_000 + back * 10),
    week: Array.from({ length: 56 }, (_, back) => 9_000 + back * 10),
  };
  await storePolled(stores, [{ ...statsAt(startMs, 92.4, { Court: 110 }), eventId: n }], {
    recent,
  });
  for (const rule of rules) {
    for (const { spec, identity } of triggersWantedBy(watch, rule)) {
      await stores.triggers.create({ ...createTrigger(spec, identity, startMs), state: 'armed' });
    }
  }
  await stores.watches.create(watch);
}
