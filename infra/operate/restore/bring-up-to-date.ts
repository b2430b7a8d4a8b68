/**
 * Brings a restored Watchlist table up to date with what was sent, paid and stopped since the moment of the backup. The
 * table from before the restore is the witness; nothing else writes to either table meanwhile. Safe to repeat.
 */

import type { Alert } from '#shared/alerts/alert.ts';
import { continueTrigger } from '#shared/alerts/continue-trigger.ts';
import { possibleRepeats } from '#shared/alerts/possible-repeat.ts';
import { decideRestored, isUnfinished } from '#shared/delivery/restored-delivery.ts';
import { createAlertStore } from '#shared/dynamo/alerts.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import {
  type CarriedKind,
  carriedItem,
  carriedKinds,
  stoppedAttribute,
} from '#shared/dynamo/carried-items.ts';
import { createDeliveryStore } from '#shared/dynamo/deliveries.ts';
import { createRestoredItems } from '#shared/dynamo/restored-items.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import { createTableWalkStore } from '#shared/dynamo/table-walk.ts';
import type { WatchlistTable } from '#shared/dynamo/tables.ts';
import { createTriggerStore } from '#shared/dynamo/triggers.ts';
import { usualRetention } from '#shared/retention.ts';
import { Differences, type LostChanges } from './lost-changes.ts';

export interface RestoredTables {
  readonly restored: WatchlistTable;
  /** The table from before the restore. */
  readonly witness: WatchlistTable;
  /** The moment of the backup, epoch milliseconds. */
  readonly to: number;
  /** When everything stood still, epoch milliseconds. */
  readonly stoppedAt: number;
  /** Says how far it is. */
  readonly say: (text: string) => void;
}

/** What was changed; a repeat changes nothing more. */
export interface BroughtUpToDate {
  readonly carried: Record<CarriedKind, number>;
  /** Keys and channels that stay stopped. */
  stopped: number;
  /** Triggers that go on from their last alert. */
  triggers: number;
  /** Unfinished deliveries, by what becomes of them. */
  readonly deliveries: Record<'keep' | 'adopt' | 'perhaps_sent', number>;
  /** Feeds whose next alerts may be repeats. */
  feeds: number;
  /** Items that could not be read, which stay as the backup has them. */
  unreadable: number;
  readonly lost: LostChanges;
}

export async function bringUpToDate(tables: RestoredTables): Promise<BroughtUpToDate> {
  const differences = new Differences();
  const done: BroughtUpToDate = {
    carried: Object.fromEntries(
      carriedKinds.map((kind) => [kind, 0]),
    ) as BroughtUpToDate['carried'],
    ...{ stopped: 0, triggers: 0, feeds: 0, unreadable: 0 },
    deliveries: { keep: 0, adopt: 0, perhaps_sent: 0 },
    lost: { made: [], changed: [], deleted: [] },
  };
  const alertsOf = await takeOver(tables, done, differences);
  for (const [triggerId, alerts] of mainFirst(alertsOf))
    await goOn(tables, done, triggerId, alerts);
  await correct(tables, done, differences);
  return { ...done, lost: differences.found };
}

/** Takes the facts of the witness over. @returns the alerts since the backup, by trigger */
async function takeOver(
  tables: RestoredTables,
  done: BroughtUpToDate,
  differences: Differences,
): Promise<Map<string, Alert[]>> {
  const items = createRestoredItems(tables.restored);
  const alerts = createAlertStore(tables.witness, usualRetention);
  const alertsOf = new Map<string, Alert[]>();
  await walk(tables.witness, 'the tables from before the restore', tables.say, async (raw) => {
    differences.before(raw);
    const stopped = stoppedAttribute(raw);
    if (stopped !== undefined && (await items.tighten(raw, stopped))) done.stopped += 1;
    const found = carriedItem(raw, tables.to);
    if (!found) return;
    const { kind, rule } = found;
    if (await items.carry(raw, rule)) done.carried[kind] += 1;
    if (kind !== 'alert') return;
    const alert = await orMissing(alerts.find(String(raw.pk).slice('ALERT#'.length)));
    if (!alert) done.unreadable += 1;
    else alertsOf.set(alert.triggerId, [...(alertsOf.get(alert.triggerId) ?? []), alert]);
  });
  return alertsOf;
}

/** A trigger goes on from the alerts that it raised since the backup. */
async function goOn(
  { restored }: RestoredTables,
  done: BroughtUpToDate,
  triggerId: string,
  alerts: readonly Alert[],
): Promise<void> {
  const triggers = createTriggerStore(restored);
  const raw = await triggers.inspect(triggerId);
  // The triggers of deleted watches are not matched, and an edit would bring them back.
  if (!raw || raw.isParked === true) return;
  const before = await orMissing(triggers.find(triggerId));
  if (!before) {
    done.unreadable += 1;
    return;
  }
  const { trigger, further } = continueTrigger(before, alerts);
  if (trigger === before) return;
  // First the further step, so that a repeat after a crash makes it.
  if (further) await triggers.create(further);
  await triggers.edit(triggerId, (stored) => continueTrigger(stored, alerts).trigger);
  done.triggers += 1;
}

/** A main trigger makes the further one of its rule. */
function mainFirst(alertsOf: ReadonlyMap<string, Alert[]>): [string, Alert[]][] {
  const isFurther = ([, [first]]: [string, Alert[]]) => Number(first?.role === 'further');
  return [...alertsOf].toSorted((a, b) => isFurther(a) - isFurther(b));
}

/** Corrects what the backup has of deliveries and cursors. */
async function correct(
  tables: RestoredTables,
  done: BroughtUpToDate,
  differences: Differences,
): Promise<void> {
  const items = createRestoredItems(tables.restored);
  const repeats = possibleRepeats(tables.to, tables.stoppedAt);
  await walk(tables.restored, 'the restored tables', tables.say, async (raw) => {
    differences.after(raw);
    if (raw.sk === 'DELIVERY') await correctDelivery(tables, done, raw);
    const [kind, , shard] = String(raw.sk).split('#');
    const isNoted = kind === 'EVALUATION' && (await items.noteRepeats(raw, repeats));
    // A feed has an evaluation for each shard of its event.
    if (isNoted && shard === undefined) done.feeds += 1;
  });
}

async function correctDelivery(
  { restored, witness, stoppedAt }: RestoredTables,
  done: BroughtUpToDate,
  raw: RawItem,
): Promise<void> {
  if (!isUnfinished(raw as never)) return;
  const items = createRestoredItems(restored);
  const find = (table: WatchlistTable) =>
    orMissing(
      createDeliveryStore(table, usualRetention).find(String(raw.pk).slice('DELIVERY#'.length)),
    );
  const delivery = await find(restored);
  if (!delivery) {
    done.unreadable += 1;
    return;
  }
  const known = await find(witness);
  const { kind } = decideRestored(delivery, known, stoppedAt);
  const stored = kind === 'adopt' ? await createRestoredItems(witness).find(raw) : undefined;
  if (stored) await items.adopt(delivery, stored);
  if (kind === 'perhaps_sent') await items.markPerhapsSent(delivery);
  done.deliveries[kind] += 1;
}

/** Every item of a table, several at once. */
async function walk(
  table: WatchlistTable,
  name: string,
  say: (text: string) => void,
  visit: (raw: RawItem) => Promise<void>,
): Promise<void> {
  const pages = createTableWalkStore(table);
  let after: RawItem | undefined;
  let seen = 0;
  do {
    const { items, next } = await pages.page(after);
    for (let start = 0; start < items.length; start += atOnce) {
      await Promise.all(items.slice(start, start + atOnce).map(visit));
    }
    seen += items.length;
    after = next;
    if (after) say(`${name}: ${seen} items so far`);
  } while (after);
}

const atOnce = 25;
