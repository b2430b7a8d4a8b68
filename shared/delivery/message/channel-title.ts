// The name of a channel in messages to its owner. Never its URL, which is a secret.
import type { Channel } from '../channel.ts';

type Named = Pick<Channel, 'name' | 'target'>;

/** "slack channel “Ops” (hooks.slack.com)", "email channel (ann@example.com)". */
export function channelTitle(channel: Named): string {
  return titled(channel, (address) => address);
}

/**
 * The title for a text that is stored, such as a notice: "email channel (a…@example.com)". The text may be kept
 * after the channel is deleted, and then nothing may name its address.
 */
export function storableChannelTitle(channel: Named): string {
  return titled(channel, (address) => {
    const [first = ''] = address;
    return `${first}…${address.slice(address.lastIndexOf('@'))}`;
  });
}

function titled({ name, target }: Named, shown: (address: string) => string): string {
  const place = 'address' in target ? shown(target.address) : hostOf(target.url);
  const named = name === undefined ? '' : ` “${name}”`;
  return `${target.kind} channel${named} (${place})`;
}

/** The host of a receiver's URL, or a placeholder if the stored URL is damaged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'address unreadable';
}
