// Gathers what a run came to: from the marketplace's database, the product's API and tables, and the
// receivers.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Stores } from '#shared/store/stores.ts';
import type { Facts, NotedPull, RaisedAlert } from './oracle/judge.ts';
import { toMarketSnapshot } from './oracle/truth.ts';
import { listAll } from './product.ts';
import type { Receipts } from './receipts.ts';
import type { RunLog } from './run-log.ts';
import { readRecords } from './scenario/marketplace-records.ts';
import type { MadeWatch } from './setup.ts';
import type { World } from './world.ts';

export interface Sources {
  world: World;
  stores: Stores;
  receipts: Receipts;
  log: RunLog;
  watches: readonly MadeWatch[];
}

/** The last moment that an ISO date of four digits has. */
const endOfTime = Date.UTC(9999, 11, 31);

interface AlertRow {
  id: string;
  rule_id: string;
  observed_at: string;
}

interface DeliveryRow {
  id: string;
  alert_ids: string[];
  left_out: { alert_id: string }[];
}

export async function collectFacts(sources: Sources): Promise<Omit<Facts, 'due'>> {
  const { world, stores, receipts, log } = sources;
  const { snapshots, charges } = readRecords(world.marketplaceFile);
  const market = new Map(
    [...snapshots].map(([eventId, held]) => [
      eventId,
      held.map((snapshot) => toMarketSnapshot(eventId, snapshot)),
    ]),
  );
  const alerts = await listAll<AlertRow>(world.api, '/v1/alerts');
  const deliveries = await listAll<DeliveryRow>(world.api, '/v1/deliveries');
  return {
    ...{ market, charges },
    raised: await withoutSilent(stores, alerts),
    receipts: receipts.all,
    alertsOfDelivery: new Map(deliveries.map((delivery) => [delivery.id, toldBy(delivery)])),
    faults: log.faults,
    stored: await readStored(stores, [...market.keys()]),
    noted: await readNoted(stores, market),
  };
}

/** What a limit of its rule kept back is on record, and no alert. */
async function withoutSilent(stores: Stores, rows: readonly AlertRow[]): Promise<RaisedAlert[]> {
  const found = await Promise.all(rows.map(({ id }) => stores.alerts.find(id)));
  return rows
    .filter((_row, index) => found[index]?.unsentReason === undefined)
    .map(({ id, rule_id: ruleId, observed_at }) => {
      return { id, ruleId, observedAt: Date.parse(observed_at) };
    });
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

/** Our ledger's rows of every day that the run touched. */
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
