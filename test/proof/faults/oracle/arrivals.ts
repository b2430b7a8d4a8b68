// Checks that each alert reached each of its places: in one message, not before its owner's hours, or left out
// because it was out of date by then.
import { type Facts, nameOf, type Violation, violation } from './judge.ts';
import type { DueAlert } from './truth.ts';

export function judgeArrivals(facts: Facts): Violation[] {
  const messages = messagesByAlert(facts);
  const raisedAs = Map.groupBy(facts.raised, nameOf);
  return facts.due.flatMap((alert) =>
    alert.places.flatMap((place) => {
      const ids = (raisedAs.get(nameOf(alert)) ?? []).map(({ id }) => id);
      const arrived = ids.flatMap((id) => [...(messages.get(`${place} ${id}`) ?? [])]);
      const isUntold =
        alert.isRecovery && !ids.some((id) => messages.has(`${place} ${alertOf(id)}`));
      const fault = faultOf(alert, { place, ids, arrived, isUntold, leftOut: facts.leftOut });
      return fault ? [violation(fault.kind, `${nameOf(alert)} to ${place}: ${fault.text}`)] : [];
    }),
  );
}

/** By place and alert: the messages with the alert, each with the time of its first copy. */
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

/** The alert of a recovery, whose id is the alert's with a suffix. */
function alertOf(recoveryId: string): string {
  return recoveryId.replace(/_r$/, '');
}

interface Arrival {
  place: string;
  ids: readonly string[];
  arrived: readonly [deliveryId: string, heardAt: number][];
  /** Whether it is a recovery whose alert was not sent there either: its reader would not know what is over. */
  isUntold: boolean;
  leftOut: Facts['leftOut'];
}

function faultOf(alert: DueAlert, { place, ids, arrived, isUntold, leftOut }: Arrival) {
  const earliest = alert.notBefore[place];
  const [first] = arrived;
  if (!first) {
    const isLeftOut = ids.some((id) => leftOut.has(`${place} ${id}`));
    // A waiting alert is sent only if it is still true; of several from one rule only the last.
    const isOver = (alert.isOver || isUntold) && earliest !== undefined;
    const isNews = !alert.isRepeated && !isOver;
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
