// What became of an alert and of its messages, in words.
import type { ListedAlert, ListedDelivery } from '../../api/calls.ts';
import { reasonWords } from '../../words/reasons.ts';
import { dateIn, type TellTime, venueDate } from '../../words/times.ts';

export interface OutcomeWords {
  look: 'armed' | 'fired' | 'wait' | 'trouble';
  text: string;
  /** Why, where there is a reason. */
  why: string;
}

/** `sent 14:02`, `held to 08:00`, `not sent`, and why. */
export function outcomeOf(
  { state, reason, sent_at: sentAt, held_until: heldUntil }: ListedAlert,
  clock: TellTime,
): OutcomeWords {
  const why = reason ? reasonWords(reason) : '';
  if (state === 'sent')
    return { look: 'fired', text: sentAt ? `sent ${clock(sentAt)}` : 'sent', why };
  if (state === 'failed') return { look: 'trouble', text: 'failed', why };
  if (state === 'unsent') return { look: 'armed', text: 'not sent', why };
  return { look: 'wait', text: heldUntil ? `held to ${clock(heldUntil)}` : 'on its way', why };
}

/** What became of one message, in a sentence; `alertId` may be one that it left out. */
export function deliveryWords(delivery: ListedDelivery, alertId: string, clock: TellTime): string {
  const { status, reason, held_for: held, left_out, next_attempt_at: next, attempts } = delivery;
  const leftOut = left_out.find(({ alert_id }) => alert_id === alertId);
  if (leftOut) return `Left out of the message: ${reasonWords(leftOut.reason)}.`;
  const why = reason ? `: ${reasonWords(reason)}` : '';
  switch (status) {
    case 'sent':
      return delivery.sent_at ? `Sent ${clock(delivery.sent_at)}.` : 'Sent.';
    case 'unconfirmed':
      return 'The receiver took it, but its answer is not clear.';
    case 'failed':
      return `Failed${why}.`;
    case 'suppressed':
      return `Not sent${why}.`;
    case 'skipped':
      return `Kept${why}.`;
    case 'merged':
      return 'Sent together with others, in another message.';
    default: {
      const until = next ? ` until ${clock(next)}` : '';
      if (attempts.length > 0)
        return `Not yet${why}; the next try is ${next ? clock(next) : 'soon'}.`;
      return held ? `Held${until}: ${reasonWords(held)}.` : 'On its way.';
    }
  }
}

/** Whether the API sends a message again when asked. */
export function canReplay({ status }: Pick<ListedDelivery, 'status'>): boolean {
  return ['failed', 'skipped', 'suppressed', 'unconfirmed'].includes(status);
}

/** The alerts of each day where the owner is, in their order. */
export function byDay<Row extends Pick<ListedAlert, 'fired_at'>>(
  alerts: readonly Row[],
  zone: string,
): { date: string; alerts: Row[] }[] {
  const days = Map.groupBy(alerts, ({ fired_at }) => dateIn(Date.parse(fired_at), zone));
  return [...days].map(([date, ofDay]) => ({ date, alerts: ofDay }));
}

const dayMs = 86_400_000;

/** `Today`, `Yesterday`, `Mon, Nov 23`. */
export function dayTitle(date: string, now: number, zone: string): string {
  if (date === dateIn(now, zone)) return 'Today';
  // The day before noon is yesterday, also when the clocks change.
  const noon = Date.parse(`${dateIn(now, zone)}T12:00:00Z`);
  if (date === new Date(noon - dayMs).toISOString().slice(0, 10)) return 'Yesterday';
  return venueDate(date, now);
}

/** What is special about an alert, in a few words each. */
export function notesOf({
  role,
  urgent,
  already_true,
  lone_listing,
  may_repeat,
}: ListedAlert): string[] {
  return [
    ...(role === 'recovery' ? ['went back'] : []),
    ...(role === 'further' ? ['a further step'] : []),
    ...(role === 'no_data' ? ['the number is missing'] : []),
    ...(urgent ? ['urgent'] : []),
    ...(already_true ? ['was so already when the rule was made'] : []),
    ...(lone_listing ? ['one listing far under the rest, which may be mis-keyed'] : []),
    ...(may_repeat ? ['perhaps told before, because Getin was restored'] : []),
  ];
}

/** The alerts that are known, each once, newest first; what came later replaces what came before. */
export function mergeAlerts(
  known: readonly ListedAlert[],
  newer: readonly ListedAlert[],
): ListedAlert[] {
  const byId = new Map([...known, ...newer].map((alert) => [alert.id, alert]));
  return [...byId.values()].sort((a, b) => (a.fired_at < b.fired_at ? 1 : -1));
}
