// Checks the edits of messages in chats: they change only messages that are there, keep their titles, come at most once
// a minute, and in each chat follow one message of an episode; and in the end it tells what happened.
import type { Receipt, ReceivedEdit } from '../receipts.ts';
import type { LoggedFault } from '../run-log.ts';
import type { Since } from './episodes.ts';
import { isDisturbed } from './gap.ts';
import { type Facts, nameOf, type Violation, violation } from './judge.ts';
import type { DueAlert } from './truth.ts';

export interface EditVerdict {
  violations: Violation[];
  /** Episodes whose message in a chat does not tell the end, because its edits were lost. */
  leftBehind: number;
}

/**
 * A message is edited at most once a minute by the sender's clock; its requests take a little different times. An
 * edit that is under way while the clock jumps a minute ahead comes with the next one, so two prove nothing: no
 * three may come within this time.
 */
const leastApartMs = 55_000;
/** An edit that was under way when a later message took over, machine milliseconds. */
const underWayMs = 10_000;

/** A message in a chat, with its edits in order. */
interface ChatMessage {
  receipt: Receipt;
  edits: ReceivedEdit[];
}

export function judgeEdits(facts: Facts): EditVerdict {
  const { messages, unknown } = withEdits(facts);
  const episodes = [...inEpisodes(facts, messages)].map(([name, of]) =>
    judgeEpisode(name, of, facts),
  );
  return {
    violations: [
      ...unknown.map(({ place, messageId }) =>
        violation('edits_wrong', `of message ${messageId} of ${place}, which is not there`),
      ),
      ...messages.flatMap(judgeMessage),
      ...episodes.flatMap(({ violations }) => violations),
    ],
    leftBehind: episodes.filter(({ isLeftBehind }) => isLeftBehind).length,
  };
}

function withEdits({ receipts, edits }: Facts): {
  messages: ChatMessage[];
  unknown: ReceivedEdit[];
} {
  const messages = new Map<string, ChatMessage>();
  for (const receipt of receipts) {
    const { place, sent } = receipt;
    if (sent) messages.set(`${place} ${sent.messageId}`, { receipt, edits: [] });
  }
  const unknown: ReceivedEdit[] = [];
  for (const edit of edits) {
    const message = messages.get(`${edit.place} ${edit.messageId}`);
    if (message) message.edits.push(edit);
    else unknown.push(edit);
  }
  return { messages: [...messages.values()], unknown };
}

/** Another title would be another alert, which comes without a sound. */
function judgeMessage({ receipt, edits }: ChatMessage): Violation[] {
  const { place, sent } = receipt;
  return edits.flatMap(({ heardAt, lines: [title] }, index) => {
    const before = edits[index - 2];
    const name = `${sent?.messageId} of ${place}`;
    const isSoon = before !== undefined && heardAt - before.heardAt < leastApartMs;
    return [
      ...(title === sent?.title ? [] : [violation('edits_wrong', `${name}: ${title}`)]),
      ...(isSoon
        ? [violation('edits_too_often', `${name}: after ${heardAt - before.heardAt} ms`)]
        : []),
    ];
  });
}

interface OfEpisode {
  alert: DueAlert;
  message: ChatMessage;
}

/** The messages of one alert each, by chat and episode, in the order of their arrival. */
function inEpisodes(facts: Facts, messages: readonly ChatMessage[]): Map<string, OfEpisode[]> {
  const due = new Map(facts.due.map((alert) => [nameOf(alert), alert]));
  const raised = new Map(facts.raised.map((alert) => [alert.id, alert]));
  const found = messages.flatMap((message) => {
    const [id, ...others] = facts.alertsOfDelivery.get(message.receipt.deliveryId) ?? [];
    const told = id === undefined || others.length > 0 ? undefined : raised.get(id);
    const alert = told && due.get(nameOf(told));
    return alert?.episode ? [{ alert, message }] : [];
  });
  found.sort((a, b) => a.message.receipt.at - b.message.receipt.at);
  return Map.groupBy(found, ({ alert, message }) => {
    return `${message.receipt.place}: episode ${alert.episode?.number} of ${alert.ruleId}`;
  });
}

function judgeEpisode(name: string, of: readonly OfEpisode[], { faults }: Facts) {
  const last = Math.max(...of.map(({ alert }) => alert.observedAt));
  const copies = of.filter(({ alert }) => alert.observedAt === last);
  const wrong = copies.filter(
    ({ alert, message }) => !tells(message.edits.at(-1), alert.episode?.since),
  );
  const isExcused = ({ message }: OfEpisode) =>
    message !== copies.at(-1)?.message || isUnkept(message.receipt, faults);
  const texts = wrong
    .filter((copy) => !isExcused(copy))
    .map(({ alert, message }) => {
      const told = message.edits.at(-1)?.lines[1] ?? 'nothing';
      return `${name} tells “${told}”, and not ${JSON.stringify(alert.episode?.since)}`;
    });
  return {
    violations: [
      ...texts.map((text) => violation('messages_left_behind', text)),
      ...twoLiving(of).map((id) => violation('edits_wrong', `${name}: ${id} is edited too`)),
    ],
    isLeftBehind: wrong.includes(copies.at(-1) as OfEpisode),
  };
}

/** The messages that were edited although the edits of a later message had begun. */
function twoLiving(of: readonly OfEpisode[]): string[] {
  return of.flatMap(({ message: { receipt, edits } }, index) => {
    const later = of.slice(index + 1).flatMap(({ message }) => message.edits.map(({ at }) => at));
    const takenOver = Math.min(...later) + underWayMs;
    return edits.some(({ at }) => at > takenOver) ? [receipt.sent?.messageId ?? ''] : [];
  });
}

/** Whether a fault explains that the sender does not know the message. A lost run of edits is made up for by the next. */
function isUnkept(receipt: Receipt, faults: readonly LoggedFault[]): boolean {
  return !receipt.isAnswered || isDisturbed(receipt, faults);
}

const known =
  /^(?:(?<low>New (?:low|high): \$?(?<number>[\d,.]*\d))|(?<back>Went back to .*|No longer reached)) · /;

function tells(edit: ReceivedEdit | undefined, since: Since | undefined): boolean {
  const { low, number = '', back } = known.exec(edit?.lines[1] ?? '')?.groups ?? {};
  if (since?.kind === 'low')
    return low !== undefined && Number(number.replaceAll(',', '')) === since.value;
  if (since?.kind === 'back') return back !== undefined;
  return low === undefined && back === undefined;
}
