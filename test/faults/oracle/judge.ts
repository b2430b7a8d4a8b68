// Holds what the product did against what ought to have happened. Every difference is a violation, but
// for messages that the design says may come twice: those are counted.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { isOddZone } from '../links/odd-answers.ts';
import type { Receipt } from '../receipts.ts';
import type { LoggedFault } from '../run-log.ts';
import type { Charge } from '../scenario/marketplace-records.ts';
import { unlogged } from './chat-receipts.ts';
import { isInGap } from './gap.ts';
import type { DueAlert } from './truth.ts';

export const violationKinds = [
  'alerts_missing',
  'alerts_doubled',
  'alerts_unexpected',
  'deliveries_missing',
  'deliveries_doubled',
  'deliveries_early',
  'pulls_double_charged',
  'pulls_unaccounted',
  'data_lost',
] as const;
export type ViolationKind = (typeof violationKinds)[number];

export interface Violation {
  kind: ViolationKind;
  text: string;
}

export interface RaisedAlert {
  id: string;
  ruleId: string;
  observedAt: number;
}

/** A pull as the product's own ledger has it in the end. */
export interface NotedPull {
  eventId: number;
  kind: string;
  pulls: number;
  isSettled: boolean;
  refreshAt: number | undefined;
}

export interface Facts {
  due: DueAlert[];
  raised: RaisedAlert[];
  receipts: Receipt[];
  /** Alerts by the delivery that tells of them, as the product's log has it: mails name none. */
  alertsOfDelivery: ReadonlyMap<string, string[]>;
  /** Place and alert, where a message left the alert out as no news any more. */
  leftOut: ReadonlySet<string>;
  faults: LoggedFault[];
  /** By event. */
  market: ReadonlyMap<number, MarketSnapshot[]>;
  stored: ReadonlyMap<number, MarketSnapshot[]>;
  charges: Charge[];
  noted: NotedPull[];
}

export interface Verdict {
  violations: Violation[];
  /** Copies beyond the first that came out of the gap. */
  doubledInGap: number;
}

export function judge(facts: Facts): Verdict {
  const told = judgeDeliveries(facts);
  return {
    violations: [
      ...judgeAlerts(facts),
      ...told.violations,
      ...judgeCharges(facts),
      ...judgeData(facts),
    ],
    doubledInGap: told.doubledInGap,
  };
}

const nameOf = ({ ruleId, observedAt }: Pick<RaisedAlert, 'ruleId' | 'observedAt'>) =>
  `${ruleId} at ${new Date(observedAt).toISOString()}`;

function judgeAlerts({ due, raised }: Facts): Violation[] {
  const wanted = new Set(due.map(nameOf));
  const found = Map.groupBy(raised, nameOf);
  return [
    ...[...wanted]
      .filter((name) => !found.has(name))
      .map((text) => violation('alerts_missing', text)),
    ...[...found].flatMap(([name, alerts]) => {
      if (!wanted.has(name)) return [violation('alerts_unexpected', name)];
      return alerts.slice(1).map(({ id }) => violation('alerts_doubled', `${name} (${id})`));
    }),
  ];
}

/** Of each alert one message to each place; of each message one copy, or more out of the gap. */
function judgeDeliveries(facts: Facts): Verdict {
  const copies = Map.groupBy(facts.receipts, ({ place, deliveryId }) => `${place} ${deliveryId}`);
  const verdict: Verdict = { violations: judgeArrivals(facts), doubledInGap: 0 };
  for (const [name, received] of copies) {
    received.sort((a, b) => a.at - b.at);
    for (const [index, later] of received.entries()) {
      const earlier = later.deliveryId === unlogged ? later : received[index - 1];
      if (!earlier) continue;
      if (isInGap(earlier, later, facts.faults)) verdict.doubledInGap += 1;
      else verdict.violations.push(violation('deliveries_doubled', `${name}, copy ${index + 1}`));
    }
  }
  return verdict;
}

function judgeArrivals(facts: Facts): Violation[] {
  const messages = messagesByAlert(facts);
  const raisedAs = Map.groupBy(facts.raised, nameOf);
  return facts.due.flatMap((alert) =>
    alert.places.flatMap((place) => {
      const ids = (raisedAs.get(nameOf(alert)) ?? []).map(({ id }) => id);
      const arrived = ids.flatMap((id) => [...(messages.get(`${place} ${id}`) ?? [])]);
      const fault = faultOf(alert, { place, ids, arrived, leftOut: facts.leftOut });
      return fault ? [violation(fault.kind, `${nameOf(alert)} to ${place}: ${fault.text}`)] : [];
    }),
  );
}

/** By place and alert: the messages that tell of it, each with the time at which it came first. */
function messagesByAlert({ receipts, alertsOfDelivery }: Facts) {
  const messages = new Map<string, Map<string, number>>();
  for (const { place, deliveryId, alertIds, heardAt } of receipts) {
    for (const alertId of alertIds ?? alertsOfDelivery.get(deliveryId) ?? []) {
      const at = `${place} ${alertId}`;
      const told = messages.get(at) ?? new Map<string, number>();
      messages.set(at, told.set(deliveryId, Math.min(heardAt, told.get(deliveryId) ?? heardAt)));
    }
  }
  return messages;
}

interface Arrival {
  place: string;
  ids: readonly string[];
  arrived: readonly [deliveryId: string, heardAt: number][];
  leftOut: Facts['leftOut'];
}

function faultOf(alert: DueAlert, { place, ids, arrived, leftOut }: Arrival) {
  const earliest = alert.notBefore[place];
  const [first] = arrived;
  if (!first) {
    const isLeftOut = ids.some((id) => leftOut.has(`${place} ${id}`));
    // What waits is told if it is still true then; of several from one rule the last alone.
    const isNews = !alert.isRepeated && !(alert.isOver && earliest !== undefined);
    if (isLeftOut && !isNews) return undefined;
    const kind = 'deliveries_missing' as const;
    return { kind, text: isLeftOut ? 'left out, and still news' : 'in 0 messages' };
  }
  if (arrived.length > 1) {
    return { kind: 'deliveries_doubled' as const, text: `in ${arrived.length} messages` };
  }
  if (earliest === undefined || first[1] >= earliest) return undefined;
  const kind = 'deliveries_early' as const;
  return { kind, text: `${Math.round((earliest - first[1]) / 1_000)} s before its owner's hours` };
}

function judgeCharges({ market, charges, noted }: Facts): Violation[] {
  return [...paidTwice(market, charges), ...notedTwice(noted), ...unbalanced(charges, noted)];
}

/** Of the marketplace's ledger: two charges of an event between which nothing was refreshed. */
function paidTwice(market: Facts['market'], charges: readonly Charge[]): Violation[] {
  const bought = new Set<string>();
  return charges.flatMap(({ eventId, kind, at }) => {
    const newest = (market.get(eventId) ?? []).findLast(({ observedAt }) => observedAt <= at);
    const name = `${kind} of ${eventId}, refreshed at ${newest?.observedAt}`;
    const isAgain = bought.has(name);
    bought.add(name);
    return isAgain ? [violation('pulls_double_charged', `${name}, charged again at ${at}`)] : [];
  });
}

/** Of our own ledger: one refresh that counts twice against the budget. */
function notedTwice(noted: readonly NotedPull[]): Violation[] {
  const certain = noted.filter(({ isSettled, pulls }) => isSettled && pulls > 0);
  const byRefresh = Map.groupBy(
    certain,
    ({ eventId, kind, refreshAt }) => `${kind} ${eventId} ${refreshAt}`,
  );
  return [...byRefresh]
    .filter(([, rows]) => rows.length > 1)
    .map(([name]) => violation('pulls_double_charged', `${name} counts twice in our ledger`));
}

function unbalanced(charges: readonly Charge[], noted: readonly NotedPull[]): Violation[] {
  const theirs = charges.reduce((sum, { pulls }) => sum + pulls, 0);
  const ours = noted.reduce((sum, { pulls }) => sum + pulls, 0);
  if (ours === theirs) return [];
  const kind = ours > theirs ? 'pulls_double_charged' : 'pulls_unaccounted';
  return [violation(kind, `our ledger has ${ours} pulls, the marketplace's has ${theirs}`)];
}

function judgeData({ market, stored }: Facts): Violation[] {
  return [...market].flatMap(([eventId, snapshots]) => {
    const held = (stored.get(eventId) ?? []).map((one) => inOrder(withoutOddZones(one)));
    const wanted = snapshots.map(inOrder);
    return [
      ...wanted.filter((one) => !held.includes(one)).map((one) => violation('data_lost', one)),
      ...held
        .filter((one) => !wanted.includes(one))
        .map((one) => violation('data_lost', `stored and never there: ${one}`)),
    ];
  });
}

/** Whether a zone of an odd name is kept or left out is the product's choice. */
function withoutOddZones(snapshot: MarketSnapshot): MarketSnapshot {
  const own = Object.entries(snapshot.zones).filter(([zone]) => !isOddZone(zone));
  return { ...snapshot, zones: Object.fromEntries(own) };
}

/** JSON with the keys sorted, so that equal values are equal texts. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function violation(kind: ViolationKind, text: string): Violation {
  return { kind, text };
}
