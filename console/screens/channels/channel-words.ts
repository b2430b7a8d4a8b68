// The health of a channel in words: what is so, and what ends it.
import type { ListedChannel } from '../../api/calls.ts';
import { plural } from '../../words/amounts.ts';
import { reasonWords } from '../../words/reasons.ts';
import type { TellTime } from '../../words/times.ts';

export interface HealthWords {
  look: 'armed' | 'fired' | 'wait' | 'trouble';
  /** A word or two. */
  state: string;
  /** Sentences: why, and what to do. */
  text: string;
}

/** What people call a channel: its name, or where it leads. */
export function channelName(
  channel: Pick<ListedChannel, 'name' | 'address' | 'host' | 'recipient'>,
) {
  return channel.name ?? placeOf(channel);
}

/** `ann@example.com`, `hooks.slack.com`, `ntfy.sh, kni…`. */
export function placeOf({
  address,
  host,
  recipient,
}: Pick<ListedChannel, 'address' | 'host' | 'recipient'>): string {
  return address ?? [host === 't.me' ? 'Telegram' : host, recipient].filter(Boolean).join(', ');
}

/** @param lastSent when the newest message went there, ISO 8601; undefined if none is known */
export function healthOf(
  channel: ListedChannel,
  lastSent: string | undefined,
  clock: TellTime,
): HealthWords {
  return (
    blocked(channel, clock) ??
    off(channel) ??
    silenced(channel, clock) ??
    going(channel, lastSent, clock)
  );
}

function blocked({ blocked: block }: ListedChannel, clock: TellTime): HealthWords | undefined {
  if (!block) return undefined;
  const ends =
    block.reason === 'complaint'
      ? 'Only its reader can lift the block, by the link in any earlier mail, or the operator if the reader asks.'
      : 'When the mailbox works again, lift the block: its reader then gets a new mail to confirm.';
  return {
    look: 'trouble',
    state: 'blocked',
    text: `Since ${clock(block.since)}: ${sentence(reasonWords(`address_${block.reason}`))} ${ends}`,
  };
}

function off({ status, kind, disabled_reason: reason }: ListedChannel): HealthWords | undefined {
  if (status === 'unverified') {
    const text =
      kind === 'email'
        ? 'Nothing is sent before its reader opens the link in the mail to confirm.'
        : 'Nothing is sent before its reader opens the link and presses “Start”.';
    return { look: 'wait', state: 'not confirmed yet', text };
  }
  if (status === 'unsubscribed') {
    const text =
      'Its reader wants no more messages. Only the reader can undo that, by the link in any earlier message.';
    return { look: 'trouble', state: 'unsubscribed', text };
  }
  if (status !== 'disabled') return undefined;
  const isWanted = reason === 'by_owner' || reason === null;
  const why = isWanted ? 'You switched it off.' : `Switched off: ${sentence(reasonWords(reason))}`;
  const isAddress = reason?.startsWith('address_') ?? false;
  const ends = isAddress
    ? 'Lift the block: its reader then gets a new mail to confirm.'
    : 'Its alerts are kept. Send a test: if it arrives, the channel is on again.';
  return { look: isWanted ? 'wait' : 'trouble', state: 'switched off', text: `${why} ${ends}` };
}

function silenced(
  { snoozed_until: until }: ListedChannel,
  clock: TellTime,
): HealthWords | undefined {
  if (!until) return undefined;
  const text = 'Its reader wants no alerts here until then. They are recorded, and not sent.';
  return { look: 'wait', state: `snoozed to ${clock(until)}`, text };
}

function going(
  { failing_since: since, failures, last_failure_reason: reason, muted_watches }: ListedChannel,
  lastSent: string | undefined,
  clock: TellTime,
): HealthWords {
  if (since && failures > 0) {
    const why = reason ? ` The last time ${reasonWords(reason)}.` : '';
    const text = `Since ${clock(since)} the last ${plural(failures, 'message')} failed.${why} Messages are sent again by themselves; check the receiver, and send a test.`;
    return { look: 'trouble', state: 'failing', text };
  }
  const muted = muted_watches.length;
  const heard = lastSent ? `The last message arrived ${clock(lastSent)}.` : 'No message yet.';
  if (muted > 0) {
    const text = `${heard} Its reader stopped ${plural(muted, 'watch', 'watches')} here.`;
    return { look: 'wait', state: `works, ${muted} muted`, text };
  }
  return { look: lastSent ? 'fired' : 'armed', state: lastSent ? 'works' : 'ready', text: heard };
}

function sentence(words: string): string {
  return `${words}.`;
}

/** The newest time at which each channel got a message, from the newest deliveries, by channel id. */
export function lastSentOf(
  deliveries: readonly { channel_id: string; sent_at: string | null }[],
): ReadonlyMap<string, string> {
  const last = new Map<string, string>();
  for (const { channel_id: id, sent_at: at } of deliveries) {
    if (at !== null && at > (last.get(id) ?? '')) last.set(id, at);
  }
  return last;
}

/** Messages that a replay would send again: those that failed, and those that a switched-off channel missed. */
export function missedOf(
  deliveries: readonly { channel_id: string; status: string; purpose: string }[],
  channelId: string,
): number {
  return deliveries.filter(
    ({ channel_id: id, status, purpose }) =>
      id === channelId && purpose === 'alert' && (status === 'failed' || status === 'skipped'),
  ).length;
}
