// Limits how fast messages go to a receiver. All senders count in shared counters, so that several senders
// together keep one rate.

import type { TallyStore } from '#shared/dynamo/tallies.ts';
import type { Channel } from './channel.ts';
import type { SharedPace } from './channels/channel-kind.ts';
import { kindOf } from './channels/channels.ts';

/** @returns when to try again, epoch ms; undefined if the message may go now. */
export type TakeTurn = (channel: Channel, now: number) => Promise<number | undefined>;

/**
 * Limits each channel whose kind has a pace. Above it, a message waits until the next window. The places that it
 * took in windows before are lost, so a kind names its shortest windows first.
 */
export function createChatPace(tallies: Pick<TallyStore, 'take'>): TakeTurn {
  return createPace(tallies, pacesOf);
}

/** The same for edits. They leave half of each pace to the alerts; of a pace of one message, nothing can be left. */
export function createEditPace(tallies: Pick<TallyStore, 'take'>): TakeTurn {
  return createPace(tallies, (channel) => {
    const { editPace } = kindOf(channel.target);
    const halves = pacesOf(channel).map(({ messages, ...pace }) => {
      return { ...pace, messages: Math.max(1, Math.floor(messages / 2)) };
    });
    const own = editPace ? [{ name: `channel#${channel.channelId}#edits`, ...editPace }] : [];
    return [...halves, ...own];
  });
}

function createPace(
  tallies: Pick<TallyStore, 'take'>,
  pacesFor: (channel: Channel) => SharedPace[],
): TakeTurn {
  return async function takeChatTurn(channel, now) {
    for (const { name, messages: ceiling, perMs } of pacesFor(channel)) {
      const startsAt = Math.floor(now / perMs) * perMs;
      const endsAt = startsAt + perMs;
      if (!(await tallies.take({ name, startsAt, endsAt, ceiling }))) return endsAt;
    }
    return undefined;
  };
}

function pacesOf({ channelId, target }: Channel): SharedPace[] {
  const { pace, sharedPacesOf } = kindOf(target);
  const own = pace === undefined ? [] : [{ name: `channel#${channelId}`, ...pace }];
  return [...own, ...(sharedPacesOf?.(target) ?? [])];
}

/** SES throttles at the quota, so we stay below it (B105). */
const shareOfQuota = 0.75;
const mailWindowMs = 500;
/** A sender waits for at most this many windows; then the mail goes back to its queue. */
const windowsAhead = 16;

interface MailPaceDeps {
  tallies: Pick<TallyStore, 'take'>;
  /** Mails per second that the account may send. */
  readSendRate: () => Promise<number>;
  wait: (ms: number) => Promise<void>;
  random: () => number;
}

/**
 * Limits all mail of the account together, one recipient per mail. Takes the first free place in the next
 * windows and waits for it.
 */
export function createMailPace({ tallies, readSendRate, wait, random }: MailPaceDeps): TakeTurn {
  return async function takeMailTurn(_channel, now) {
    const { windowMs, ceiling } = mailWindow(await readSendRate());
    const first = Math.floor(now / windowMs) * windowMs;
    const lastAhead = first + windowsAhead * mailWindowMs;
    for (let startsAt = first; startsAt < lastAhead; startsAt += windowMs) {
      const stretch = { name: 'mail', startsAt, endsAt: startsAt + windowMs, ceiling };
      if (!(await tallies.take(stretch))) continue;
      if (startsAt > now) await wait(startsAt - now);
      return undefined;
    }
    return lastAhead + Math.round(random() * windowsAhead * mailWindowMs);
  };
}

/** A window and how many mails it allows; for a low rate, a longer window with one mail. */
export function mailWindow(mailsPerSecond: number): { windowMs: number; ceiling: number } {
  const perMs = (Math.max(mailsPerSecond, 0.1) * shareOfQuota) / 1_000;
  const ceiling = Math.floor(perMs * mailWindowMs);
  if (ceiling >= 1) return { windowMs: mailWindowMs, ceiling };
  return { windowMs: Math.ceil(1 / perMs), ceiling: 1 };
}
