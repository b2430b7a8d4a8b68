// What the links of an alert have changed in a watch, from the versions of the watch. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '#shared/rules/language/rule.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { WatchVersion } from '#shared/watchlist/watch-version.ts';

type Version = Watch | WatchVersion;

/** A change of the alert's rule by one of its links that is still so. */
export interface PressedRule {
  act: 'new_low' | 'level';
  /** The rule before it. */
  before: Rule;
}

/** The versions of a watch, newest first, the present one included. */
export type Versions = readonly [Watch, ...WatchVersion[]];

/** Whether a form made from a version of the watch was carried out: the next version says so. */
export function isCarriedOut(
  versions: Versions,
  { alertId, act, version }: { alertId: string; act: string; version: number },
): boolean {
  const next = versions.find((each) => each.version === version + 1);
  return next !== undefined && isBy(next.changedBy, alertId) && next.changedBy?.act === act;
}

/** The last change of the rule by the alert's links that was not undone; undefined if the rule has changed since. */
export function pressedRule(
  versions: Versions,
  { alertId, ruleId }: { alertId: string; ruleId: string },
): PressedRule | undefined {
  const made: (PressedRule & { after: Rule })[] = [];
  for (const [place, version] of [...versions.entries()].toReversed()) {
    const { changedBy } = version;
    if (!isBy(changedBy, alertId)) continue;
    const { act } = changedBy ?? {};
    if (act === 'undo_rule') made.pop();
    const earlier = versions[place + 1];
    const before = earlier?.version === version.version - 1 ? ruleIn(earlier, ruleId) : undefined;
    const after = ruleIn(version, ruleId);
    if ((act === 'new_low' || act === 'level') && before && after)
      made.push({ act, before, after });
  }
  const last = made.at(-1);
  if (!last || !isDeepStrictEqual(ruleIn(versions[0], ruleId), last.after)) return undefined;
  return { act: last.act, before: last.before };
}

function isBy(by: ChangedBy | undefined, alertId: string): boolean {
  return by?.way === 'link' && by.alertId === alertId;
}

function ruleIn({ rules }: Version, ruleId: string): Rule | undefined {
  return rules.find((each) => each.ruleId === ruleId)?.rule;
}
