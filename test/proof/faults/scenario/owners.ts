// The owners of a run and their channels. Each owner stands for one kind of
// neighbour that must not affect the others.
import type { Hearing } from './hearing.ts';

/**
 * `main` gets alerts at once. `calm` has quiet hours or a digest. `slow` has receivers that take seconds.
 * `odd` owns the damaged items; only this owner may be affected by them. `chat` has chats whose messages are
 * kept up to date.
 */
export const ownerNames = ['main', 'calm', 'slow', 'odd', 'chat'] as const;
export type OwnerName = (typeof ownerNames)[number];

export type ChatKind = 'slack' | 'discord' | 'teams' | 'telegram';

export interface PlannedChannel {
  owner: OwnerName;
  kind: 'email' | 'webhook' | ChatKind;
  /** An address, the path of a webhook, or `/telegram/` and the id of a chat. */
  place: string;
}

export interface PlannedOwner {
  name: OwnerName;
  /** Absent: at once. */
  hearing?: Hearing;
}

export const channels: readonly PlannedChannel[] = [
  { owner: 'main', kind: 'email', place: 'ann@example.com' },
  { owner: 'main', kind: 'email', place: 'bob@example.com' },
  { owner: 'main', kind: 'webhook', place: '/hook/1' },
  { owner: 'main', kind: 'webhook', place: '/hook/2' },
  { owner: 'main', kind: 'webhook', place: '/hook/3' },
  { owner: 'main', kind: 'slack', place: '/slack/1' },
  { owner: 'main', kind: 'discord', place: '/discord/1' },
  { owner: 'main', kind: 'telegram', place: '/telegram/4711' },
  { owner: 'calm', kind: 'email', place: 'cal@example.com' },
  { owner: 'calm', kind: 'webhook', place: '/hook/calm' },
  { owner: 'calm', kind: 'slack', place: '/slack/calm' },
  { owner: 'calm', kind: 'discord', place: '/discord/calm' },
  { owner: 'calm', kind: 'teams', place: '/teams/calm' },
  { owner: 'calm', kind: 'telegram', place: '/telegram/-4712' },
  { owner: 'slow', kind: 'webhook', place: '/hook/slow/1' },
  { owner: 'slow', kind: 'webhook', place: '/hook/slow/2' },
  { owner: 'odd', kind: 'webhook', place: '/hook/odd' },
  { owner: 'chat', kind: 'discord', place: '/discord/chat' },
  { owner: 'chat', kind: 'telegram', place: '/telegram/4713' },
  { owner: 'chat', kind: 'telegram', place: '/telegram/-4714' },
];

/** Whether quiet hours and digests apply to a channel: generic webhooks are read by machines. */
export function isForPeople({ kind }: Pick<PlannedChannel, 'kind'>): boolean {
  return kind !== 'webhook';
}

/** Whether a message there has no delivery id. */
export function isChat(place: string): boolean {
  return /^\/(slack|discord|teams|telegram)\//.test(place);
}
