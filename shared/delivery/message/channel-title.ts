// The name of a channel in messages to its owner. Never its URL or a key, which are secrets.
import type { Channel } from '../channel.ts';
import { shownTarget } from '../channels/channels.ts';

type Named = Pick<Channel, 'name' | 'target'>;

/** "slack channel “Ops” (hooks.slack.com)", "email channel (ann@example.com)", "ntfy channel (ntfy.sh, kn…)". */
export function channelTitle(channel: Named): string {
  const { address, host, recipient } = shownTarget(channel.target);
  return titled(channel, address ?? [host, recipient].filter(Boolean).join(', '));
}

/**
 * The title for a text that is stored, such as a notice: "email channel (a…@example.com)". The text may be kept
 * after the channel is deleted, and then nothing may name its address.
 */
export function storableChannelTitle(channel: Named): string {
  const { address, host = '' } = shownTarget(channel.target);
  if (address === undefined) return titled(channel, host);
  const [first = ''] = address;
  return titled(channel, `${first}…${address.slice(address.lastIndexOf('@'))}`);
}

function titled({ name, target }: Named, place: string): string {
  const named = name === undefined ? '' : ` “${name}”`;
  return `${target.kind.replaceAll('_', ' ')} channel${named} (${place})`;
}
