// How a partly damaged watch is parsed: without that part, and with a fault that its owner
// sees. A rule that this release can't parse does not affect the watch's other rules.
import { compileRule } from '#shared/rules/compile.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { isChangedBy } from '#shared/watchlist/changed-by.ts';
import { isShard } from '#shared/watchlist/event-shards.ts';
import { shortestLatencySeconds } from '#shared/watchlist/owner-defaults.ts';
import { isSetAside, type SetAside } from '#shared/watchlist/set-aside.ts';
import { isBought, type WatchRule } from '#shared/watchlist/watch.ts';
import { absent, fromKey, namedByKey, needed, orElse, type RawItem } from './attribute-readings.ts';
import type { ItemReading } from './stored-items.ts';

/** Replaces a damaged version; no stored watch has this number. */
export const damagedVersion = -1;

const longAgo = new Date(0).toISOString();

const attributes = {
  watchId: fromKey('WATCH#'),
  ownerId: { otherwise: ownerOf },
  eventId: needed(isEventId),
  name: absent,
  tags: absent,
  rules: { isReadable: areReadable, otherwise: readableRules },
  channelIds: orElse([]),
  fallbackChannelId: absent,
  // A damaged status reads as active: an active watch is more likely than a paused one.
  status: orElse('active'),
  bought: { isReadable: isBought, ...absent },
  snoozedUntil: absent,
  // No alert of the watch may come later than its owner wished.
  latencySeconds: orElse(shortestLatencySeconds),
  // Its triggers know their shard themselves.
  shard: { isReadable: isShard, ...absent },
  inherits: absent,
  unsettled: { isReadable: isUnsettled, ...absent },
  setAside: { isReadable: areFaults, ...absent },
  // A removed watch leaves its owner's list in the write that removes it.
  removedAt: { isReadable: isOutOfList, ...absent },
  statusWhenRemoved: absent,
  version: orElse(damagedVersion),
  createdAt: orElse(longAgo),
  updatedAt: orElse(longAgo),
  changedBy: { isReadable: isChangedBy, ...absent },
  ownerKey: absent,
  ownerSort: absent,
  unfinishedShard: absent,
  nextAttemptAt: absent,
};

/** The marketplace's ids have at most 15 digits (api.md). */
const mostEventId = 999_999_999_999_999;

/** Without its event nothing of a watch can be polled or matched. */
function isEventId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= mostEventId;
}

/** How an earlier version of a watch is parsed: like the watch, but the key has its number. */
export function versionReading<
  Item extends { setAside?: Record<string, SetAside> | undefined },
>(): ItemReading<Item> {
  const { unsettled: _watchesOnly, ...shared } = attributes;
  const own = {
    // Its item is in no list, so it keeps the time of a removal.
    removedAt: absent,
    version: namedByKey(({ sk }) => Number(String(sk).slice('VERSION#'.length))),
    expiresAtEpochSeconds: orElse(Number.MAX_SAFE_INTEGER),
  };
  return { attributes: { ...shared, ...own }, finish: withFaults };
}

/** How a watch's item is parsed. */
export function watchReading<
  Item extends { setAside?: Record<string, SetAside> | undefined },
>(): ItemReading<Item> {
  return { attributes, finish: withFaults };
}

function withFaults<Item extends { setAside?: Record<string, SetAside> | undefined }>(
  watch: Item,
  damaged: readonly string[],
): Item {
  const faults = damaged.filter((name) => name !== 'setAside').map((name) => [name, faultOf(name)]);
  return { ...watch, setAside: { ...watch.setAside, ...Object.fromEntries(faults) } };
}

/** The fault is found at every read, so it needs no retry time. */
function faultOf(name: string): SetAside {
  const reason =
    name === 'rules'
      ? 'Some stored rules are damaged and are left out. Save the rules again'
      : `The stored ${name} is damaged; a safe default is used instead. Save the watch again`;
  return { reason, since: 0, times: 1, retryAt: 0, release: '' };
}

/** The key of the owner's list also contains the owner. */
function ownerOf({ ownerKey }: RawItem): unknown {
  return typeof ownerKey === 'string' ? ownerKey.replace(/#(watch|deletedWatch)$/, '') : undefined;
}

function isOutOfList(_removedAt: unknown, { ownerKey }: RawItem): boolean {
  return ownerKey === undefined || String(ownerKey).endsWith('#deletedWatch');
}

function areReadable(rules: unknown): boolean {
  return Array.isArray(rules) && rules.length > 0 && rules.every(isReadableRule);
}

function readableRules({ rules }: RawItem): unknown {
  return Array.isArray(rules) ? rules.filter(isReadableRule) : [];
}

/** A rule is readable if both its compiler and its sentence writer accept it. */
function isReadableRule(stored: unknown): stored is WatchRule {
  if (typeof stored !== 'object' || stored === null) return false;
  const { ruleId, rule, triggerIds } = stored as Partial<WatchRule>;
  if (typeof ruleId !== 'string' || rule === undefined || !Array.isArray(triggerIds)) return false;
  try {
    const specs = compileRule(rule);
    const isWhole = specs.every(({ level }) => Number.isFinite(level)) && triggerIds.length > 0;
    return isWhole && triggerIds.every((id) => typeof id === 'string') && ruleSentence(rule) !== '';
  } catch {
    return false;
  }
}

function isUnsettled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['feeds', 'triggerIds'].every((name) => Array.isArray(Reflect.get(value, name)));
}

function areFaults(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isSetAside);
}
