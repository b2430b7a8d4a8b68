// The watchers for measuring polling, and the alerts that they would get if every refresh were seen at once:
// the alerts that a policy must not miss.
import { between, unit } from '#marketplace/simulator/random.ts';
import { CatchUp } from '#shared/rules/catch-up.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { remember } from '#shared/rules/reading.ts';
import type { SeriesKey } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { createTrigger } from '#shared/rules/trigger.ts';
import type { Market, MarketEvent } from './market.ts';

export interface Watcher {
  watchId: string;
  eventId: number;
  latencySeconds: number;
  rule: Rule;
}

/** The wanted maximum delay, with the share of watchers who want it. */
const latencies = [60, 60, 60, 60, 60, 60, 300, 300, 900, 3_600];

/** Watchers spread over the events; a few events have many. */
export function makeWatchers(market: Market, watches: number, seed: number): Watcher[] {
  return Array.from({ length: watches }, (_, index) => {
    const skewed = unit(seed, 70, index) ** 1.7;
    const event = market.events[Math.floor(skewed * market.events.length)];
    if (!event) throw new Error('a market without events has no watchers');
    return {
      watchId: `wat_${index}`,
      eventId: event.eventId,
      latencySeconds: latencies[between(0, latencies.length - 1, seed, 71, index)] ?? 60,
      rule: makeRule(event, seed, index),
    };
  });
}

/** Seven in ten ask for a price below the current one, the rest for a drop or a new low. */
function makeRule({ series }: MarketEvent, seed: number, index: number): Rule {
  const first = series[0]?.metrics;
  const metric = first?.get_in === null ? 'avg_price' : 'get_in';
  const price = first?.[metric] ?? 10_000;
  const kind = unit(seed, 72, index);
  if (kind < 0.7) {
    const level = Math.max(100, Math.round(price * (0.6 + 0.38 * unit(seed, 73, index))));
    return ruleSchema.parse({ type: 'level', metric, at_or_below: level / 100 });
  }
  if (kind < 0.85) {
    const percent = between(8, 25, seed, 74, index);
    const from = { of: 'high', window: '24h' };
    return ruleSchema.parse({ type: 'change', metric, drops_by: { percent }, from });
  }
  return ruleSchema.parse({ type: 'extreme', metric, new: 'low', within: '7d' });
}

export interface Heard {
  /** Identifies the alert: the trigger and its firing. */
  alert: string;
  watchId: string;
  /** When the market had this value, epoch milliseconds. */
  observedAt: number;
}

/** One event's rules, run on its snapshots by the real matching. */
export class EventRules {
  readonly index = new MemoryTriggerIndex();
  readonly series: SeriesKey[];
  readonly #history = new LoadedHistory();
  readonly #run = new CatchUp();

  constructor(watchers: readonly Watcher[], createdAt: number) {
    for (const { watchId, eventId, rule } of watchers) {
      for (const [part, spec] of compileRule(rule).entries()) {
        const triggerId = `trg_${watchId}_${part}`;
        const identity = { triggerId, watchId, eventId, ruleId: watchId, ownerId: 'own_1' };
        this.index.put(createTrigger(spec, identity, createdAt));
      }
    }
    this.series = [...new Set(this.index.all().map(({ series }) => series))];
  }

  /** Matches the next snapshots, in time order. Snapshots from before the watches are only history. */
  async see(snapshots: readonly MarketSnapshot[], startMs: number): Promise<Heard[]> {
    const heard: Heard[] = [];
    for (const snapshot of snapshots) {
      remember(this.#history, snapshot);
      if (snapshot.observedAt < startMs) continue;
      const { moves } = await matchSnapshot({
        ...{ index: this.index, run: this.#run, snapshot, history: this.#history },
        ...{ series: this.series, isNewest: false, eventStartsAt: null },
      });
      for (const { trigger, decision } of moves) {
        if (decision.kind === 'retire') {
          this.index.remove(trigger.triggerId);
          continue;
        }
        this.index.put(decision.next);
        if (decision.kind !== 'fire') continue;
        if (decision.further) this.index.put(decision.further);
        const alert = `${trigger.triggerId}/${decision.firing.generation}`;
        heard.push({ alert, watchId: trigger.watchId, observedAt: snapshot.observedAt });
      }
    }
    return heard;
  }
}

/** Every alert of the market, in time order. */
export async function hearAll(market: Market, watchers: readonly Watcher[]): Promise<Heard[]> {
  const byEvent = Map.groupBy(watchers, ({ eventId }) => eventId);
  const heard: Heard[] = [];
  for (const event of market.events) {
    const rules = new EventRules(byEvent.get(event.eventId) ?? [], market.startMs);
    heard.push(...(await rules.see(event.series, market.startMs)));
  }
  return heard.sort((a, b) => a.observedAt - b.observedAt);
}
