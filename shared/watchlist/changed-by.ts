// Who changed a watch, and by what kind of request. It is stored with each version of the watch, and has the name of
// the key at that time, so that it still says who it was after the key is gone.
import type { ApiKey } from './api-key.ts';

/** Every way in which a watch can change, in words that follow "changed". */
export const changeWayTable = {
  request: 'by a request',
  import: 'by an import',
  bulk: 'by a bulk change',
  undo: 'by the undo of a bulk change',
  defaults: 'by a change of the defaults',
  channel_deletion: 'by the deletion of its last channel',
  restore: 'by restoring an earlier version',
  link: 'by a link in a message',
} as const;

/** What a reader did to a watch at one channel by a link in a message, in words that follow the channel's title. */
export const linkActTable = {
  snooze: 'snoozed for 24 hours',
  stop_watch: 'stopped',
  resume_watch: 'on again',
} as const;
export type LinkAct = keyof typeof linkActTable;

/** What a reader changed in a watch by a link in the message of an alert. */
export const alertLinkActs = ['bought', 'undo_bought', 'new_low', 'level', 'undo_rule'] as const;
export type AlertLinkAct = (typeof alertLinkActs)[number];

/** Whether a link changed whether a channel is silent, and not the settings of the watch. */
export function isOfChannel(act: string | undefined): act is LinkAct {
  return act !== undefined && Object.hasOwn(linkActTable, act);
}

export type ChangeWay = keyof typeof changeWayTable;
export const changeWays = Object.keys(changeWayTable) as ChangeWay[];

/** Who changed a watch, and how. */
export interface ChangedBy {
  way: ChangeWay;
  /** The API key of the request; absent for a link. */
  keyId?: string | undefined;
  keyName?: string | undefined;
  keyHint?: string | undefined;
  /** The channel whose message had the link. */
  channelId?: string | undefined;
  /** What the link did. After an act of a channel the settings of the watch stay; the channel is silent for it. */
  act?: LinkAct | AlertLinkAct | undefined;
  /** The alert whose message had the link. */
  alertId?: string | undefined;
  /** The id of the bulk change. */
  runId?: string | undefined;
}

/** An author and the time of a change, epoch milliseconds. */
export interface ChangeMark {
  by: ChangedBy;
  now: number;
}

/** The author of a request with this key. */
export function changedByKey({ keyId, name, hint }: ApiKey, way: ChangeWay = 'request'): ChangedBy {
  return {
    ...{ way, keyId },
    ...(name !== undefined && { keyName: name }),
    ...(hint !== undefined && { keyHint: hint }),
  };
}

/** "by an import with the key “Laptop” (getin_x8Yb…)". */
export function changedByWords({ way, keyId, keyName, keyHint, channelId }: ChangedBy): string {
  if (way === 'link') return `${changeWayTable.link} to the channel ${channelId ?? '(unknown)'}`;
  if (keyId === undefined) return changeWayTable[way];
  const name = keyName === undefined ? keyId : `“${keyName}”`;
  const hint = keyHint === undefined ? '' : ` (${keyHint})`;
  return `${changeWayTable[way]} with the key ${name}${hint}`;
}

/** Whether a stored value says who changed a watch. */
export function isChangedBy(value: unknown): value is ChangedBy {
  if (typeof value !== 'object' || value === null || !('way' in value)) return false;
  const { way, ...texts } = value;
  const isWay = changeWays.some((each) => each === way);
  return isWay && Object.values(texts).every((text) => typeof text === 'string');
}
