// Collects the results of a run: from the marketplace's database, the product's API and tables, and the
// receivers.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { type LoggedAttempt, nameDeliveries } from './oracle/chat-receipts.ts';
import type { Facts, NotedPull, RaisedAlert } from './oracle/judge.ts';
import { inOurTime } from './oracle/our-time.ts';
import { toMarketSnapshot } from './oracle/truth.ts';
import { listAll } from './product.ts';
import { readDamaged } from './read-damaged.ts';
import type { Receipts } from './receipts.ts';
import type { RunLog } from './run-log.ts';
import { type ListingSet, oddEventId } from './scenario/market.ts';
import { readRecords } from './scenario/marketplace-records.ts';
import { channels, isChat } from './scenario/owners.ts';
import type { Made } from './setup.ts';
import type { StormDamage } from './storm.ts';
import type { World } from './world.ts';

export interface Sources {
  world: World;
  stores: Stores;
  receipts: Receipts;
  log: RunLog;
  made: Made;
  damage: StormDamage;
}

/** The last moment of an ISO date with a four-digit year. */
const endOfTime = Date.UTC(9999, 11, 31);

interface AlertRow {
  id: string;
  rule_id: string;
  observed_at: string;
  role: string;
}

interface DeliveryRow {
  id: string;
  channel_id: string;
  alert_ids: string[];
  left_out: { alert_id: string }[];
  attempts: {
    at: string;
    outcome: string;
    duration_ms: number;
    response_excerpt: string | null;
  }[];
}

export async function collectFacts(sources: Sources): Promise<Omit<Facts, 'due'>> {
  const { world, stores, receipts, log, made, damage } = sources;
  const { isDamaged } = damage;
  const isReadable = (eventId: number) => !(isDamaged && eventId === oddEventId);
  const { snapshots, charges } = readRecords(world.marketplaceFile);
  const stored = await readStored(stores, [...snapshots.keys()].filter(isReadable));
  const alerts = await ofAll<AlertRow>(sources, '/v1/alerts');
  // Where the snapshots can't be read, the alerts have the times under which they were stored.
  const raisedAt = new Set(alerts.map(({ observed_at }) => Date.parse(observed_at)));
  const market = new Map(
    [...snapshots].map(([eventId, held]) => {
      const recorded = held.map((snapshot) => toMarketSnapshot(eventId, snapshot));
      const readable = stored.get(eventId)?.map(({ observedAt }) => observedAt);
      const times = readable ? new Set(readable) : raisedAt;
      return [eventId, inOurTime(recorded, { stored: times, marketAheadMs: world.marketAheadMs })];
    }),
  );
  const refreshes = new Map(
    [...snapshots].map(([eventId, held]) => [
      eventId,
      held.map(({ timestamp }) => Date.parse(timestamp)),
    ]),
  );
  const deliveries = await ofAll<DeliveryRow>(sources, '/v1/deliveries');
  const placeOf = ({ channel_id }: DeliveryRow): string =>
    channels[made.channelIds.indexOf(channel_id)]?.place ?? '';
  const attempts = deliveries.flatMap((delivery) => attemptsOf(delivery, placeOf(delivery)));
  const [inChats, others] = [true, false].map((wanted) =>
    receipts.all.filter(({ place }) => isChat(place) === wanted),
  );
  return {
    ...{ market, refreshes, stored, charges },
    raised: withDamaged(await withoutSilent(stores, alerts), damage.alerts),
    receipts: [...(others ?? []), ...nameDeliveries(inChats ?? [], attempts)],
    edits: receipts.edits,
    alertsOfDelivery: new Map(deliveries.map((delivery) => [delivery.id, toldBy(delivery)])),
    leftOut: new Set(
      deliveries.flatMap((delivery) =>
        delivery.left_out.map(({ alert_id }) => `${placeOf(delivery)} ${alert_id}`),
      ),
    ),
    faults: log.faults,
    ...(isDamaged && { damaged: await readDamaged(made) }),
    noted: await readNoted(stores, market),
  };
}

/** A list of every owner's things; it may be unreadable if one item in it is damaged. */
async function ofAll<Row>({ made, damage: { isDamaged } }: Sources, path: string): Promise<Row[]> {
  const lists = made.owners.map(({ name, api }) => {
    const rows = listAll<Row>(api, path);
    return isDamaged && name === 'odd' ? rows.catch(() => []) : rows;
  });
  return (await Promise.all(lists)).flat();
}

function attemptsOf({ id, attempts }: DeliveryRow, place: string): LoggedAttempt[] {
  return attempts.map(({ at, outcome, duration_ms, response_excerpt: excerpt }) => ({
    ...{ deliveryId: id, place, outcome },
    messageId: /"(?:message_)?id":"?(\d+)/.exec(excerpt ?? '')?.[1],
    startedAt: Date.parse(at),
    endedAt: Date.parse(at) + duration_ms,
  }));
}

/** The sets that the product saw: those whose refresh is stored, and the newest if it changes anything. */
export async function readSeenSets(
  stores: Stores,
  shown: ReadonlyMap<number, ListingSet[]>,
  marketAheadMs: number,
): Promise<Map<number, ListingSet[]>> {
  const seen = new Map<number, ListingSet[]>();
  for (const [eventId, sets] of shown) {
    if (eventId === oddEventId) continue;
    const held = await stores.snapshots.between({ eventId, kind: 'listings' }, 0, endOfTime);
    const stored = new Set(held.map(({ observedAt }) => observedAt));
    const ours = inOurTime(sets, { stored, marketAheadMs });
    seen.set(
      eventId,
      ours.filter((set, index) => stored.has(set.observedAt) || index === ours.length - 1),
    );
  }
  return seen;
}

/** A firing suppressed by its rule's limits is recorded, but is not an alert; a damaged record counts as an alert. */
async function withoutSilent(stores: Stores, rows: readonly AlertRow[]): Promise<RaisedAlert[]> {
  const found = await Promise.all(
    rows.map(({ id }) => stores.alerts.find(id).catch(() => undefined)),
  );
  return rows
    .filter((_row, index) => found[index]?.unsentReason === undefined)
    .map(({ id, rule_id: ruleId, observed_at, role }) => {
      return { id, ruleId, observedAt: Date.parse(observed_at), isRecovery: role === 'recovery' };
    });
}

/** The lists leave out an alert that can't be read, also if it arrived before it was damaged. */
function withDamaged(listed: readonly RaisedAlert[], damaged: readonly RaisedAlert[]) {
  const known = new Set(listed.map(({ id }) => id));
  return [...listed, ...damaged.filter(({ id }) => !known.has(id))];
}

function toldBy({ alert_ids, left_out }: DeliveryRow): string[] {
  const out = new Set(left_out.map(({ alert_id }) => alert_id));
  return alert_ids.filter((id) => !out.has(id));
}

async function readStored(
  stores: Stores,
  eventIds: readonly number[],
): Promise<Map<number, MarketSnapshot[]>> {
  const stored = new Map<number, MarketSnapshot[]>();
  for (const eventId of eventIds) {
    const held = await stores.snapshots.between({ eventId, kind: 'stats' }, 0, endOfTime);
    stored.set(
      eventId,
      held.filter((snapshot) => snapshot.feedKind === 'stats'),
    );
  }
  return stored;
}

/** Our ledger's rows for every day of the run. */
async function readNoted(
  stores: Stores,
  market: ReadonlyMap<number, MarketSnapshot[]>,
): Promise<NotedPull[]> {
  const times = [...market.values()].flat().map(({ observedAt }) => observedAt);
  const dayMs = 86_400_000;
  const days = new Set<string>();
  for (let at = Math.min(...times) - dayMs; at <= Math.max(...times) + 5 * dayMs; at += dayMs) {
    days.add(new Date(at).toISOString().slice(0, 10));
  }
  const rows = await Promise.all([...days].map((day) => stores.pulls.ofDay(day)));
  return rows.flat().map(({ eventId, kind, pulls, state, refreshAt }) => ({
    ...{ eventId, kind, pulls, refreshAt },
    isSettled: state === 'settled',
  }));
}
