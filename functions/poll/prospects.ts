// How far the price is from the next alert of each trigger: from levels above and below, of zones, and from changes
// and new lows within a window. Reads nothing.
import type { NearestLevel } from '#shared/polling/value/feed-value.ts';
import { type PriceMemory, rangeOf } from '#shared/polling/value/price-memory.ts';
import type { Prospect } from '#shared/polling/value/reach.ts';
import { formatCents } from '#shared/rules/money.ts';
import { parseSeries, type Transform } from '#shared/rules/series.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import { baseValue, unitOf } from '#shared/rules/sources/sources.ts';
import type { Trigger, TriggerCondition } from '#shared/rules/trigger.ts';
import { windowMs } from '#shared/rules/window.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface Prospects {
  prospects: Prospect[];
  nearest: NearestLevel | undefined;
}

/**
 * The prospects of an event's triggers at its newest snapshot. The triggers may not have been matched with it yet: an
 * armed one that it reaches counts as fired.
 */
export function prospectsOf(
  triggers: readonly Trigger[],
  snapshot: MarketSnapshot,
  memory: PriceMemory | undefined,
): Prospects {
  if (!memory) return { prospects: [], nearest: undefined };
  const prospects: Prospect[] = [];
  let nearest: NearestLevel | undefined;
  for (const trigger of triggers) {
    const prospect = prospectOf(trigger, snapshot, memory);
    if (!prospect) continue;
    prospects.push(prospect);
    if (prospect.distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
      nearest = { distance: prospect.distance, name: nameOf(trigger) };
    }
  }
  return { prospects, nearest };
}

function prospectOf(
  trigger: Trigger,
  snapshot: MarketSnapshot,
  memory: PriceMemory,
): Prospect | undefined {
  const { base, transform } = parseSeries(trigger.series);
  const from = coveredFrom(trigger.condition, memory);
  if (transform === null) {
    const value = baseValue(base, snapshot);
    if (value === null || value <= 0) return undefined;
    const sign = trigger.direction === 'down' ? 1 : -1;
    const wayTo = (level: number) => (level > 0 ? sign * Math.log(value / level) : Number.NaN);
    return levelProspect(trigger, wayTo, from);
  }
  if (transform.measure === 'below_low' || transform.measure === 'above_high') {
    const { high, low } = spanOf(memory, windowMs(transform.window));
    const way = transform.measure === 'below_low' ? memory.last - low : high - memory.last;
    return { kind: 'record', distance: Math.max(0, way), again: 0, ...(from && { from }) };
  }
  if (transform.measure === 'span') return undefined;
  const { measure } = transform;
  const wayTo = (level: number) => wayOfChange({ measure, level }, transform, memory);
  return levelProspect(trigger, wayTo, from);
}

/** @param wayTo how far the price has to go until the series has a value; below 0 if it is past it. */
function levelProspect(
  { state, level, rearmLevel, afterFiring }: Trigger,
  wayTo: (level: number) => number,
  from: number | undefined,
): Prospect | undefined {
  const way = wayTo(level);
  const gap = Math.abs(wayTo(rearmLevel) - way);
  if (!Number.isFinite(way) || !Number.isFinite(gap)) return undefined;
  const isWaiting = state === 'armed' && (way > 0 || afterFiring === 'stay_armed');
  const isBack = state === 'fired' && way >= gap;
  const distance = isWaiting || isBack ? Math.max(0, way) : Math.max(0, gap - way) + gap;
  return { kind: 'level', distance, again: 2 * gap, ...(from && { from }) };
}

/** How far the price has to move until it has changed so much from its baseline. */
function wayOfChange(
  { measure, level }: { measure: Transform['measure']; level: number },
  transform: Transform,
  memory: PriceMemory,
): number {
  const baseline = 'baseline' in transform ? transform.baseline : undefined;
  const { high, low } = spanOf(
    memory,
    baseline && 'window' in baseline ? windowMs(baseline.window) : 0,
  );
  const share = measure.endsWith('_pct') ? level / 10_000 : level / Math.exp(memory.last);
  const drop = baseline?.of === 'high' ? high : memory.last;
  const rise = baseline?.of === 'low' ? low : memory.last;
  const down = memory.last - (drop + Math.log(Math.max(1e-9, 1 - share)));
  const up = rise + Math.log(1 + share) - memory.last;
  if (measure.startsWith('drop')) return down;
  return measure.startsWith('rise') ? up : Math.min(up, down);
}

/** The range over a window; of one shorter than half a day nothing is kept, so it is the price itself. */
function spanOf(memory: PriceMemory, spanMs: number): { high: number; low: number } {
  if (spanMs < dayMs / 2) return { high: memory.last, low: memory.last };
  return rangeOf(memory, spanMs <= dayMs ? 'day' : 'week');
}

/** A rule about a window is silent until enough of it is known. */
function coveredFrom(condition: TriggerCondition | null, memory: PriceMemory): number | undefined {
  if (condition === null || 'any' in condition) return undefined;
  if ('all' in condition) {
    const times = condition.all.map((each) => coveredFrom(each, memory) ?? 0);
    return Math.max(0, ...times) || undefined;
  }
  const isCoverage = parseSeries(condition.series).transform?.measure === 'span';
  return isCoverage ? memory.firstAt + condition.level * minuteMs : undefined;
}

function nameOf({ series, level }: Trigger): string {
  const { base, transform } = parseSeries(series);
  if (transform === null) return unitOf(base) === 'price' ? formatCents(level) : `${level}`;
  if (transform.measure === 'below_low') return 'a new low';
  if (transform.measure === 'above_high') return 'a new high';
  const size = transform.measure.endsWith('_pct') ? `${level / 100} %` : formatCents(level);
  const [noun = 'change'] = transform.measure.split('_');
  return `a ${noun} of ${size}`;
}
