// The kinds of messages: one alert, several alerts, and messages about a channel itself.
import { type SuppressionReason, suppressionEnds, suppressionWords } from '../suppression.ts';
import { spanText } from './figures.ts';
import { type AlertMessage, eventGroups, type Message, pushLimit } from './message.ts';
import { cutTo, singleLine } from './plain-text.ts';

export const holdReasons = [
  'quiet_hours',
  'digest',
  'channel_throttled',
  'channel_unverified',
] as const;
/** Why an alert was not sent when it fired. */
export type HoldReason = (typeof holdReasons)[number];

const holdWords: Record<HoldReason, string> = {
  quiet_hours: 'during your quiet hours',
  digest: 'for your digest',
  channel_throttled: 'because this channel took no more messages',
  channel_unverified: 'until this address was confirmed',
};

export interface Held {
  reason: HoldReason;
  /** The moment from which on it was held: "Feb 28, 11:00 PM EST". */
  since: string;
}

/** One message of one alert or of several. @param alerts at least one, the most important first. */
export function alertsMessage(
  alerts: AlertMessage[],
  { held, stopUrl }: { held?: Held | undefined; stopUrl: string | undefined },
): Message {
  const [first] = alerts;
  const isDigest = alerts.length > 1;
  return {
    kind: isDigest ? 'digest' : 'alert',
    headline: isDigest ? digestHeadline(alerts) : (first?.headline ?? ''),
    push: isDigest ? digestPush(alerts) : (first?.push ?? ''),
    paragraphs: held ? [heldText(held, alerts.length)] : [],
    alerts,
    links: isDigest ? [] : (first?.links ?? []),
    stopUrl,
    moreUrl: stopUrl && moreUrlOf(stopUrl),
  };
}

/** The page of a channel that lists its last alerts. */
function moreUrlOf(stopUrl: string): string {
  return `${stopUrl}?do=alerts`;
}

/** "$74 ▼ 18%: Knicks at Heat, Lower Bowl · and 2 more, of 2 events". */
function digestHeadline(alerts: readonly AlertMessage[]): string {
  const [first] = alerts;
  const events = eventGroups(alerts).length;
  const ofEvents = events > 1 ? `, of ${events} events` : '';
  return `${first?.lead}: ${first?.place} · and ${alerts.length - 1} more${ofEvents}`;
}

/** "$74 ▼ 18% Knicks at Heat, Lower Bowl +2". */
function digestPush(alerts: readonly AlertMessage[]): string {
  const more = ` +${alerts.length - 1}`;
  const [first] = alerts;
  return cutTo(`${first?.lead} ${first?.place}`, pushLimit - more.length) + more;
}

function heldText({ reason, since }: Held, count: number): string {
  const what = count === 1 ? 'This alert was' : 'These alerts were';
  const still = count === 1 ? 'it was still true' : 'they were still true';
  return `${what} held from ${since} ${holdWords[reason]}; ${still} when this was sent.`;
}

/** A few sentences to an owner about something other than an alert. */
export interface OwnerNotice {
  headline: string;
  paragraphs: string[];
}

/** The facts of a failing channel for its owner; `percent` of the time until it is switched off. */
export interface ChannelTrouble {
  /** Such as "slack channel hooks.slack.com". */
  channel: string;
  percent: 50 | 70 | 90 | 100;
  reason: string;
  failingForMs: number;
}

/** The notice that a channel fails or was switched off; it is sent by another channel. */
export function troubleNotice({
  channel,
  percent,
  reason,
  failingForMs,
}: ChannelTrouble): OwnerNotice {
  const isOff = percent === 100;
  const since = failingForMs > 0 ? ` for ${spanText(failingForMs)}` : '';
  return {
    headline: isOff
      ? `Switched off: your ${channel}`
      : `Your ${channel} has failed${since}: ${percent}% of the way to being switched off`,
    paragraphs: [
      since === ''
        ? `The last message to it failed because ${reasonWords(reason)}.`
        : `Every message to it failed${since}, the last one because ${reasonWords(reason)}.`,
      isOff
        ? 'No more messages are sent there. Its alerts are kept. Send a test: if it arrives, the channel is switched on again and the kept alerts can be replayed.'
        : 'Messages are retried by themselves. Check that the receiver is up, and send a test.',
    ],
  };
}

/** The notice that a channel's mail address is blocked; it is sent by another channel. */
export function blockedNotice(channel: string, reason: SuppressionReason): OwnerNotice {
  return {
    headline: `Mail is blocked: your ${channel}`,
    paragraphs: [
      `No mail is sent there, because ${suppressionWords({ reason })}.`,
      suppressionEnds({ reason }),
    ],
  };
}

/** A recorded reason as the end of a sentence. */
function reasonWords(reason: string): string {
  const [, what, status] = /^(http|redirect)_(\d{3})$/.exec(reason) ?? [];
  if (what === 'http') return `it answered with HTTP ${status}`;
  if (what === 'redirect') return `it redirected with HTTP ${status}, which is not followed`;
  return reason === 'timeout' ? 'it did not answer in time' : `of “${singleLine(reason)}”`;
}

/** A notice as a message. */
export function noticeMessage(notice: OwnerNotice, stopUrl: string | undefined): Message {
  return wordsOnly('notice', { ...notice, stopUrl });
}

/** The message of a test. */
export function testMessage(stopUrl: string | undefined): Message {
  return wordsOnly('test', {
    headline: 'Test from Getin: this channel works',
    paragraphs: ['You asked for this test. Price alerts look similar.'],
    stopUrl,
  });
}

/** Asks the reader of an address whether they want alerts there. */
export function confirmationMessage(confirmUrl: string): Message {
  const message = wordsOnly('confirmation', {
    headline: 'Confirm that you want price alerts from Getin here',
    paragraphs: [
      'Someone, probably you, asked Getin to send ticket price alerts to this address.',
      'No alert is sent before you confirm. If it was not you, ignore this mail.',
    ],
    stopUrl: undefined,
  });
  const confirm = { kind: 'confirm', label: 'Confirm this address', url: confirmUrl } as const;
  return { ...message, links: [confirm] };
}

function wordsOnly(
  kind: Message['kind'],
  words: Pick<Message, 'headline' | 'paragraphs' | 'stopUrl'>,
): Message {
  const push = cutTo(words.headline, pushLimit);
  return { kind, ...words, push, alerts: [], links: [], moreUrl: undefined };
}
