// A desk with a month of prices of eight events, their alerts and their pulls: what pictures of it show. The same
// figures each time.

import { pullOf } from '#shared/polling/pull.ts';
import { sharersOf } from '#shared/polling/pull-sharers.ts';
import { recentAfter } from '#shared/polling/recent-prices.ts';
import { type Api, aChannel, watchBody } from './api.ts';
import { type Desk, startDesk } from './desk.ts';
import { raiseAlerts } from './furnished/shown-alerts.ts';
import { type ShownEvent, shownEvents } from './furnished/shown-events.ts';
import { listingsAt, pricesOf } from './furnished/shown-prices.ts';
import { storePolled } from './polled-event.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** 2:06 PM in New York. */
const now = Date.parse('2026-11-28T19:06:00Z');
const firstEventId = 4_711;

/** Starts a desk with all of it; its API has the time of the newest prices. */
export async function startFurnishedDesk(): Promise<Desk> {
  const desk = await startDesk();
  const { api } = desk;
  api.clock.now = now;
  await api.call('/v1/owner', {
    method: 'PATCH',
    body: {
      name: 'Ann',
      time_zone: 'America/New_York',
      quiet_hours: { from: '22:00', to: '07:00' },
    },
  });
  const mute = await addChannels(api);
  for (const [index, shown] of shownEvents.entries()) {
    await furnish(api, shown, { eventId: firstEventId + index, mute });
  }
  await spendToday(api);
  return desk;
}

/** Slack and ntfy beside Ann's mail. @returns the id of the one that is switched off */
async function addChannels({ stores, ann }: Api): Promise<string> {
  const slack = aChannel(`ch_${'5'.repeat(32)}`, ann.ownerId);
  const phone = aChannel(`ch_${'6'.repeat(32)}`, ann.ownerId);
  await stores.channels.create({
    ...{ ...slack, name: '#deals' },
    target: { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X' },
  });
  await stores.channels.create({
    ...{ ...phone, status: 'disabled', name: 'Old phone' },
    target: { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'ann-phone' },
  });
  return phone.channelId;
}

async function furnish(
  api: Api,
  shown: ShownEvent,
  { eventId, mute }: { eventId: number; mute: string },
): Promise<void> {
  const { stores } = api;
  await stores.eventFacts.keep(factsOf(shown, eventId));
  const { status, body, text } = await api.call('/v1/watches', {
    body: watchBody(api, {
      ...{ event_id: eventId, rules: [shown.rule], tags: shown.tags ?? [] },
      ...(shown.state === 'mute' && { channels: [mute] }),
    }),
  });
  if (status !== 201) throw new Error(text);
  const watchIds = [body.id, ...(await alsoWatch(api, shown, eventId))];
  const snapshots = pricesOf(shown, eventId, now).map((snapshot) => ({
    ...snapshot,
    metrics: {
      ...snapshot.metrics,
      total_listings_active: listingsAt(shown.listings, snapshot.observedAt, now),
    },
  }));
  const zones = [shown.rule.zone].filter((zone) => typeof zone === 'string');
  await storePolled(stores, snapshots, {
    recent: recentAfter(undefined, snapshots, { zones }),
    dayCount: { startsAt: now - (now % dayMs), looks: 31, pulls: 6 },
  });
  await raiseAlerts(api, shown, { eventId, watch: body });
  await storePulls(api, shown, { eventId, watchIds });
  if (shown.state === 'snoozed') {
    const until = new Date(now + 3 * dayMs).toISOString();
    await api.call(`/v1/watches/${body.id}/snooze`, { body: { until } });
  }
  if (shown.state === 'paused') await api.call(`/v1/watches/${body.id}/pause`, { method: 'POST' });
}

function factsOf({ name, date, time, venue, city }: ShownEvent, eventId: number) {
  const timeZone = city === 'San Francisco' ? 'America/Los_Angeles' : 'America/New_York';
  return {
    ...{ eventId, name, date, time, timeZone, venueName: venue, venueCity: city, updatedAt: 1 },
  };
}

/** @returns the ids of the further watches on the event */
async function alsoWatch(api: Api, { alsoRule }: ShownEvent, eventId: number): Promise<string[]> {
  if (!alsoRule) return [];
  const body = watchBody(api, { event_id: eventId, rules: [alsoRule] });
  const made = await api.call('/v1/watches', { body });
  if (made.status !== 201) throw new Error(made.text);
  return [made.body.id];
}

/** Calls of one pull each, over 30 days. */
async function storePulls(
  { stores, ann }: Api,
  { pullsPerDay }: ShownEvent,
  { eventId, watchIds }: { eventId: number; watchIds: readonly string[] },
): Promise<void> {
  const sharers = sharersOf(watchIds.map((watchId) => ({ ownerId: ann.ownerId, watchId })));
  const days = Array.from({ length: 30 }, (_, day) => day);
  const times = days.flatMap((day) => {
    const calls = Math.round(pullsPerDay * (1.1 - day / 60 + 0.25 * Math.sin(day * 1.7 + eventId)));
    return Array.from({ length: calls }, (_, n) => now - day * dayMs - (n + 1) * hourMs);
  });
  await Promise.all(
    times.map((pulledAt) =>
      stores.pulls.create(
        pullOf({
          ...{ eventId, kind: 'stats', reason: 'data', state: 'settled', pulls: 1, pulledAt },
          ...{ claim: `${eventId} ${pulledAt}`, watches: watchIds.length },
          ...(sharers && { sharers }),
        }),
      ),
    ),
  );
}

async function spendToday({ stores }: Api): Promise<void> {
  const key = 'test_until_9999999999999';
  const spent = 214;
  await stores.budget.reserve({ key, wanted: spent, caps: { daily: 500, monthly: 10_000 } }, now);
  await stores.budget.commitReservation(key, {
    ...{ reserved: spent, spent, answeredAt: now - 12_000 },
  });
}
