/**
 * A small market for rule tests: one event with snapshots from the test, watched by
 * rules through the memory index. Contains no expectations.
 */

import { CatchUp } from '#shared/rules/catch-up.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { editTrigger } from '#shared/rules/edit.ts';
import { LoadedHistory } from '#shared/rules/history.ts';
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { inTimeOrder, type Matches, matchSnapshot } from '#shared/rules/match.ts';
import { MemoryTriggerIndex } from '#shared/rules/memory-index.ts';
import { remember } from '#shared/rules/reading.ts';
import type { MarketSnapshot, ZoneMetrics } from '#shared/rules/snapshot.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { Firing } from '#shared/rules/transitions.ts';
import { createTrigger, siblingOf, type Trigger } from '#shared/rules/trigger.ts';

export const START = Date.UTC(2026, 10, 1);
export const MINUTE = 60_000;

/** A firing in the form that tests compare. */
export interface Alert {
  id: string;
  at: number;
  alreadyTrue: boolean;
  firing: Firing;
}

export function aSnapshot(
  observedAt: number,
  metrics: Partial<MarketSnapshot['metrics']> = {},
  zones: Record<string, Partial<ZoneMetrics>> = {},
): MarketSnapshot {
  return {
    feedKind: 'stats',
    eventId: 7,
    observedAt,
    metrics: {
      get_in: null,
      get_in_qty2plus: null,
      avg_price: null,
      median_price: null,
      total_listings_active: null,
      listing_fill_rate: null,
      ...metrics,
    },
    zones: Object.fromEntries(
      Object.entries(zones).map(([zone, prices]) => [zone, zonePrices(prices)]),
    ),
  };
}

function zonePrices(prices: Partial<ZoneMetrics>): ZoneMetrics {
  return { get_in: null, get_in_qty2plus: null, avg_price: null, median_price: null, ...prices };
}

export function ruleOf(rule: unknown): Rule {
  return ruleSchema.parse(rule);
}

function alertOf(firing: Firing, alreadyTrue: boolean): Alert {
  const id = `${firing.triggerId}.${firing.generation}`;
  return { id, at: firing.observedAt, alreadyTrue, firing };
}

/** The series of the triggers, and those of their conditions. */
export function seriesOf(index: MemoryTriggerIndex): string[] {
  return [...new Set(index.all().map((trigger) => trigger.series))];
}

/** One event, its triggers and their firings. */
export class Market {
  readonly index = new MemoryTriggerIndex();
  readonly history = new LoadedHistory();
  readonly alerts: Alert[] = [];
  /** Messages that the number went back after an alert. */
  readonly recoveries: Alert[] = [];
  eventStartsAt: number | null = null;
  newest: Snapshot | null = null;
  lastMatches: Matches = { moves: [], held: [], silenced: [], faulty: [], faultySeries: [] };
  #through = Number.NEGATIVE_INFINITY;

  /** Makes a rule and checks it against the newest snapshot at once. */
  async make(rule: unknown, at: number, triggerId = 'trg_1'): Promise<void> {
    const specs = compileRule(ruleOf(rule));
    const ids = specs.map((_, i) => (i === 0 ? triggerId : `${triggerId}n`));
    for (const [i, spec] of specs.entries()) {
      const id = ids[i] ?? triggerId;
      const identity = {
        ...{ watchId: 'wat_1', ruleId: `rul_${triggerId}`, ownerId: 'own_1', eventId: 7 },
        ...siblingOf(ids, id),
      };
      this.index.put(createTrigger(spec, { ...identity, triggerId: id }, at));
    }
    await this.#firstLook();
  }

  async edit(rule: unknown, at: number, triggerId = 'trg_1'): Promise<void> {
    const trigger = this.index.find(triggerId);
    const [spec] = compileRule(ruleOf(rule));
    if (!trigger || !spec) throw new Error('nothing to edit');
    this.index.put(editTrigger(trigger, spec, at));
    await this.#firstLook();
  }

  /** Stores snapshots and catches up on them in one run with an index that never sees newer writes. */
  async see(...snapshots: Snapshot[]): Promise<void> {
    const run = new CatchUp(this.#through);
    const ordered = inTimeOrder(snapshots);
    const last = ordered.at(-1);
    for (const snapshot of ordered) {
      if (snapshot.observedAt <= this.#through) continue;
      remember(this.history, snapshot);
      await this.#match(run, snapshot, snapshot === last);
      this.newest = snapshot;
    }
    this.#through = run.through;
    this.#write(run);
  }

  async #firstLook(): Promise<void> {
    if (!this.newest) return;
    const run = new CatchUp();
    await this.#match(run, this.newest, true);
    this.#write(run);
  }

  async #match(run: CatchUp, snapshot: Snapshot, isNewest: boolean): Promise<void> {
    const { index, history, eventStartsAt } = this;
    const series = seriesOf(index);
    this.lastMatches = await matchSnapshot({
      ...{ index, run, snapshot, history, series, isNewest, eventStartsAt },
    });
    for (const { decision } of this.lastMatches.moves) {
      if (decision.kind === 'fire') {
        this.alerts.push(alertOf(decision.firing, decision.alreadyTrue));
      }
      if (decision.kind === 'rearm' && decision.recovery) {
        this.recoveries.push(alertOf(decision.recovery, false));
      }
    }
  }

  #write(run: CatchUp): void {
    for (const trigger of run.moved()) this.index.put(trigger);
    for (const trigger of this.index.all()) {
      if (run.known(trigger.triggerId) === null) this.index.remove(trigger.triggerId);
    }
  }

  trigger(triggerId = 'trg_1'): Trigger {
    const trigger = this.index.find(triggerId);
    if (!trigger) throw new Error(`no trigger ${triggerId}`);
    return trigger;
  }
}
