// How a stored watch is read of which a part is damaged: without that part, and with a fault that its owner
// sees. A rule that this release can't read costs the watch's other rules nothing.
import { compileRule } from '#shared/rules/compile.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { usualLatencySeconds } from '#shared/watchlist/owner-defaults.ts';
import { isSetAside, type SetAside } from '#shared/watchlist/set-aside.ts';
import type { WatchRule } from '#shared/watchlist/watch.ts';
import { absent, fromKey, type ItemReading, orElse, type RawItem } from './stored-items.ts';

/** The version of a watch whose stored one is damaged; no number that a watch can have. */
export const damagedVersion = -1;

const longAgo = new Date(0).toISOString();

const attributes = {
  watchId: fromKey('WATCH#'),
  ownerId: { otherwise: ownerOf },
  name: absent,
  tags: absent,
  rules: { isReadable: areReadable, otherwise: readableRules },
  channelIds: orElse([]),
  fallbackChannelId: absent,
  // What its owner asked for is more likely than what its owner switched off.
  status: orElse('active'),
  snoozedUntil: absent,
  latencySeconds: orElse(usualLatencySeconds),
  inherits: absent,
  unsettled: { isReadable: isUnsettled, ...absent },
  setAside: { isReadable: areFaults, ...absent },
  // A removed watch leaves its owner's list in the same write.
  removedAt: { isReadable: isOutOfList, ...absent },
  version: orElse(damagedVersion),
  createdAt: orElse(longAgo),
  updatedAt: orElse(longAgo),
  ownerKey: absent,
  ownerSort: absent,
  unfinishedShard: absent,
  nextAttemptAt: absent,
};

/** How a watch's item is read. */
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

/** It is met anew at each reading, so it is never waited with. */
function faultOf(name: string): SetAside {
  const reason =
    name === 'rules'
      ? 'Some stored rules are damaged and are left out. Save the rules again'
      : `The stored ${name} is damaged; a safe default is used instead. Save the watch again`;
  return { reason, since: 0, times: 1, retryAt: 0, release: '' };
}

/** The owner's list names the owner too. */
function ownerOf({ ownerKey }: RawItem): unknown {
  return typeof ownerKey === 'string' ? ownerKey.replace(/#watch$/, '') : undefined;
}

function isOutOfList(_removedAt: unknown, { ownerKey }: RawItem): boolean {
  return ownerKey === undefined;
}

function areReadable(rules: unknown): boolean {
  return Array.isArray(rules) && rules.length > 0 && rules.every(isReadableRule);
}

function readableRules({ rules }: RawItem): unknown {
  return Array.isArray(rules) ? rules.filter(isReadableRule) : [];
}

/** A rule is readable when those that use it can: the one that makes its triggers, and the one that says it. */
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
