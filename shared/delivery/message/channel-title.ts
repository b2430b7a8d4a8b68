// What a channel is called when its owner is told of it. Never its URL, which is a secret.
import type { Channel } from '#shared/watchlist/channel.ts';

/** "slack channel “Ops” (hooks.slack.com)", "email channel (ann@example.com)". */
export function channelTitle({ name, target }: Pick<Channel, 'name' | 'target'>): string {
  const place = target.kind === 'email' ? target.address : hostOf(target.url);
  const named = name === undefined ? '' : ` “${name}”`;
  return `${target.kind} channel${named} (${place})`;
}

/** A stored address that is damaged has no host. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'address unreadable';
}
