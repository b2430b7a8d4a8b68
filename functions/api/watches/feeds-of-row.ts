// The feeds that the watch of a row would want, for the forecast of a file's cost. Pure.
import type { Rule } from '#shared/rules/language/rule.ts';
import {
  defaultsFor,
  followedLatency,
  type OwnerDefaults,
} from '#shared/watchlist/owner-defaults.ts';
import { feedsWantedBy, type WatchRule } from '#shared/watchlist/watch.ts';
import type { RowStep } from './decide-row.ts';
import type { FileFeed } from './forecast-file.ts';

type Work = Extract<RowStep, { kind: 'create' | 'update' }>;

/** None for a row that does nothing. */
export function feedsOf(step: RowStep, defaults: OwnerDefaults): FileFeed[] {
  if (step.kind !== 'create' && step.kind !== 'update') return [];
  return feedsWantedBy(watchAfter(step, defaults)).map(({ kind, latencySeconds }) => ({
    ...{ eventId: eventOf(step), kind, latencySeconds },
  }));
}

function eventOf(step: Work): number {
  return step.kind === 'create' ? step.wanted.event_id : step.watch.eventId;
}

/** The parts of the watch after the step that decide on its feeds. */
function watchAfter(step: Work, defaults: OwnerDefaults): Parameters<typeof feedsWantedBy>[0] {
  if (step.kind === 'create') {
    const { rules, tags = [], latency_seconds: latency } = step.wanted;
    const latencySeconds = latency ?? defaultsFor(defaults, tags).latencySeconds;
    return { status: 'active', rules: rules.map(asWatchRule), latencySeconds };
  }
  const { watch, change } = step;
  const latencySeconds =
    change.latency_seconds === null
      ? followedLatency(watch, defaultsFor(defaults, change.tags ?? watch.tags ?? []))
      : (change.latency_seconds ?? watch.latencySeconds);
  const rules = change.rules?.map((each) => asWatchRule('id' in each ? each.rule : each));
  return { ...watch, latencySeconds, rules: rules ?? watch.rules };
}

function asWatchRule(rule: Rule): WatchRule {
  return { ruleId: '', rule, triggerIds: [] };
}
