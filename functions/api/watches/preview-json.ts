// A rule preview as JSON. preview-schema.ts has its schema.
import type { DeliveredFire } from '#shared/backtest/as-delivered.ts';
import type { CurvePoint } from '#shared/backtest/curve.ts';
import { weekMs } from '#shared/backtest/per-week.ts';
import { valueText } from '#shared/delivery/message/figures.ts';
import { inToldUnit, toldUnits, type Unit } from '#shared/rules/metric.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { BoughtHistory } from '../events/buy-history.ts';
import { mostPreviewed, type Preview } from './preview-rule.ts';

const dayMs = 86_400_000;

/** What was bought for a preview, and what could be. */
interface Purchase {
  bought: BoughtHistory | undefined;
  /** Whether the marketplace sells the history of the rule's feed. */
  isForSale: boolean;
  /** The start of the range, epoch milliseconds. */
  from: number;
}

/** A preview as JSON: dollars, percent or counts. */
export function previewJson(preview: Preview, purchase: Purchase) {
  const { base, transform } = parseSeries(preview.series);
  const read: FireReading = { unit: unitOf(base), isPlain: transform === null };
  const { covered, delivered, suggested } = preview;
  return {
    unit: toldUnits[read.unit],
    fires: preview.fires.map((fire, index) => ({
      ...fireJson(fire, read),
      delivered: deliveredJson(delivered?.fires[index]),
    })),
    recoveries: preview.recoveries.map(({ firing }, index) => ({
      observed_at: isoOf(firing.observedAt),
      value: inToldUnit(read.unit, firing.base),
      fired_at: isoOf(firing.backFrom?.observedAt ?? firing.observedAt),
      delivered: deliveredJson(delivered?.recoveries[index]),
    })),
    count: preview.count,
    already_true: preview.fires.some(({ alreadyTrue }) => alreadyTrue),
    per_week: preview.perWeek,
    nearby: preview.asked.map(pointJson),
    curve: preview.curve.map(pointJson),
    confirmations: preview.confirmations.map(pointJson),
    suggested: suggested ? pointJson(suggested) : null,
    messages: delivered?.messages ?? null,
    longest_silence_hours: hoursOf(preview.longestSilenceMs),
    pulls: preview.pulls,
    from: covered && isoOf(covered.from),
    to: covered && isoOf(covered.through),
    snapshots: preview.snapshots,
    bought: boughtJson(purchase.bought),
    note: noteOn(preview, purchase),
  };
}

interface FireReading {
  unit: Unit;
  /** Whether the rule compares the value itself, and not a change of it. */
  isPlain: boolean;
}

function fireJson({ firing, alreadyTrue, after }: Preview['fires'][number], read: FireReading) {
  const { unit, isPlain } = read;
  const amountIn = (value: number | null) => (value === null ? null : inToldUnit(unit, value));
  const seenJson = (point: typeof after.lowest) =>
    point && {
      observed_at: isoOf(point.at),
      value: inToldUnit(unit, point.value),
    };
  const words = valueText(unit, firing.base);
  return {
    observed_at: isoOf(firing.observedAt),
    value: inToldUnit(unit, firing.base),
    level: isPlain ? amountIn(firing.level) : null,
    baseline: amountIn(firing.baseline),
    already_true: alreadyTrue,
    lowest_after: seenJson(after.lowest),
    highest_after: seenJson(after.highest),
    stayed_minutes: after.stayedMs === null ? null : Math.round(after.stayedMs / 60_000),
    undone_at_once: after.undoneAtOnce,
    words: after.lowest
      ? `${words}; the lowest value afterwards was ${valueText(unit, after.lowest.value)}`
      : words,
  };
}

function deliveredJson(fire: DeliveredFire | undefined) {
  return fire ? { at: isoOf(fire.at), held: fire.held, told: fire.isTold } : null;
}

function pointJson({ amount, rule, count, alreadyTrue, perWeek }: CurvePoint) {
  const sentence = ruleSentence(rule);
  return { amount, sentence, count, already_true: alreadyTrue, per_week: perWeek };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

function hoursOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 360_000) / 10;
}

function boughtJson(bought: BoughtHistory | undefined) {
  if (!bought) return null;
  return { snapshots: bought.snapshots.length, pulls: bought.pulls, whole: bought.isWhole };
}

function noteOn(preview: Preview, purchase: Purchase): string {
  const { snapshots, covered, isCut, pulls, rolled } = preview;
  const cost = costNote(preview, purchase);
  if (!covered) {
    return `No snapshot of this event is stored for that time. Snapshots are stored from the moment that a watch exists. ${cost}`;
  }
  const coveredMs = covered.through - covered.from;
  const what = purchase.bought ? 'stored and bought' : 'stored';
  const cut = isCut ? ` More than ${mostPreviewed} are stored; the oldest were left out.` : '';
  const old =
    rolled > 0
      ? ` ${rolled} of them are kept values of this price alone, older than the snapshots.`
      : '';
  const short =
    coveredMs < weekMs ? ` They cover ${spanText(coveredMs)}, too little for a weekly rate.` : '';
  return `Evaluated ${snapshots} ${what} snapshots.${old}${cut}${short} Each is a refresh of the market; a watch with this latency would have cost about ${pulls} pulls. ${cost}`;
}

/** What this preview cost, and what buying the prices before the stored ones would cost. */
function costNote({ covered }: Preview, { bought, isForSale, from }: Purchase): string {
  if (bought) {
    const part = bought.isWhole
      ? ''
      : ' The newest prices did not come in time; a shorter range has fewer.';
    return `This preview cost ${bought.pulls === 1 ? '1 pull' : `${bought.pulls} pulls`}.${part}`;
  }
  const isShort = !covered || covered.from - from > dayMs;
  const offer =
    isForSale && isShort
      ? ' With buy_history it also uses the earlier prices, for at most 1 pull.'
      : '';
  return `This preview cost no pull.${offer}`;
}

function spanText(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
