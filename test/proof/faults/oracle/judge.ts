// Compares what the product did with the expected result. Every difference is a violation, except
// messages that the design allows to come twice: those are counted.
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { isOddZone } from '../links/odd-answers.ts';
import type { Receipt, ReceivedEdit } from '../receipts.ts';
import type { LoggedFault } from '../run-log.ts';
import type { Charge } from '../scenario/marketplace-records.ts';
import { judgeArrivals } from './arrivals.ts';
import { unlogged } from './chat-receipts.ts';
import { judgeEdits } from './edits.ts';
import { isInGap } from './gap.ts';
import { type Damaged, setDamagedApart } from './set-damaged-apart.ts';
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
  'trouble_hidden',
  'edits_wrong',
  'edits_too_often',
  'messages_left_behind',
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
  isRecovery: boolean;
}

/** A pull in the final state of the product's own ledger. */
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
  /** Edits of messages in chats. */
  edits: ReceivedEdit[];
  /** Alerts by the delivery that contains them, from the product's log, because mails have no delivery id. */
  alertsOfDelivery: ReadonlyMap<string, string[]>;
  /** Place and alert, if a message left the alert out as out of date. */
  leftOut: ReadonlySet<string>;
  faults: LoggedFault[];
  /** The marketplace's records by event, with times by our clock. */
  market: ReadonlyMap<number, MarketSnapshot[]>;
  /** Refresh times of each event by the marketplace's clock, as in its charges; in time order. */
  refreshes: ReadonlyMap<number, number[]>;
  stored: ReadonlyMap<number, MarketSnapshot[]>;
  charges: Charge[];
  noted: NotedPull[];
  /** Watches whose own items were damaged; undefined if none were. */
  damaged?: Damaged | undefined;
}

export interface Verdict {
  violations: Violation[];
  /** Second and later copies that the gap explains. */
  doubledInGap: number;
  /** Episodes whose message in a chat does not tell the end, because its edits were lost. */
  leftBehind: number;
}

export function judge(all: Facts): Verdict {
  const { facts, damaged } = setDamagedApart(all);
  const told = judgeDeliveries(facts);
  const edited = judgeEdits(facts);
  return {
    violations: [
      ...judgeAlerts(facts),
      ...told.violations,
      ...judgeCharges(facts),
      ...judgeData(facts),
      ...judgeDamaged(damaged),
      ...edited.violations,
    ],
    doubledInGap: told.doubledInGap,
    leftBehind: edited.leftBehind,
  };
}

export const nameOf = ({ ruleId, observedAt, isRecovery }: Omit<RaisedAlert, 'id'>) =>
  `${isRecovery ? 'recovery of ' : ''}${ruleId} at ${new Date(observedAt).toISOString()}`;

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

/** Each alert in one message per place; each message once, or more often if the gap explains it. */
function judgeDeliveries(facts: Facts): Omit<Verdict, 'leftBehind'> {
  const copies = Map.groupBy(facts.receipts, ({ place, deliveryId }) => `${place} ${deliveryId}`);
  const verdict = { violations: judgeArrivals(facts), doubledInGap: 0 };
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

/** A damaged watch must still work, or show a trouble. */
function judgeDamaged(facts: Facts | undefined): Violation[] {
  if (!facts) return [];
  return facts.due.flatMap((alert) => {
    if (facts.damaged?.troubled.has(alert.watchId)) return [];
    const isRaised = facts.raised.some((raised) => nameOf(raised) === nameOf(alert));
    const works = isRaised && judgeArrivals({ ...facts, due: [alert] }).length === 0;
    if (works) return [];
    return [
      violation('trouble_hidden', `${nameOf(alert)} of ${alert.watchId}: lost, and no trouble`),
    ];
  });
}

function judgeCharges({ refreshes, charges, noted, damaged }: Facts): Violation[] {
  const found = [...paidTwice(refreshes, charges), ...notedTwice(noted)];
  // A damaged feed may have lost the record of a call.
  return damaged ? found : [...found, ...unbalanced(charges, noted)];
}

/** In the marketplace's ledger: two charges for an event without a refresh between them. */
function paidTwice(refreshes: Facts['refreshes'], charges: readonly Charge[]): Violation[] {
  const bought = new Set<string>();
  return charges.flatMap(({ eventId, kind, at }) => {
    const newest = (refreshes.get(eventId) ?? []).findLast((refreshedAt) => refreshedAt <= at);
    const name = `${kind} of ${eventId}, refreshed at ${newest}`;
    const isAgain = bought.has(name);
    bought.add(name);
    return isAgain ? [violation('pulls_double_charged', `${name}, charged again at ${at}`)] : [];
  });
}

/** In our own ledger: one refresh that is charged twice against the budget. */
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

/** The product may keep or leave out a zone with an odd name. */
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

export function violation(kind: ViolationKind, text: string): Violation {
  return { kind, text };
}
