// The name of a channel in messages to its owner. Never its URL, which is a secret.
import type { Channel } from '../channel.ts';

/** "slack channel “Ops” (hooks.slack.com)", "email channel (ann@example.com)". */
export function channelTitle({ name, target }: Pick<Channel, 'name' | 'target'>): string {
  const place = 'address' in target ? target.address : hostOf(target.url);
  const named = name === undefined ? '' : ` “${name}”`;
  return `${target.kind} channel${named} (${place})`;
}

/** The host of a receiver's URL, or a placeholder if the stored URL is damaged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'address unreadable';
}
