// The chart of an event: its prices and listings, the owner's alerts, and the levels of the owner's rules to drag.
import { useSignal } from '@preact/signals';
import type { EventDetail, EventSeries, ListedAlert, ListedWatch } from '../../api/calls.ts';
import { Card } from '../../parts/card.tsx';
import type { ChartMark, LevelLine } from '../../parts/chart/chart-data.ts';
import { chartOf, isBlank } from '../../parts/chart/event-chart.ts';
import { PriceChart } from '../../parts/chart/price-chart.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { coarseNow } from '../../state/clock.ts';
import type { Live } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { plural } from '../../words/amounts.ts';
import { span } from '../../words/times.ts';
import { chartZoneOf, lineOf } from '../watch/rule-amount.ts';
import type { RuleDraft } from '../watch/rule-draft.ts';
import { type ChartRange, chooseRange, dayMs, ranges } from './chart-ranges.ts';
import { moveLevel } from './move-level.ts';

interface PricesCardProps {
  event: EventDetail;
  zone: string | null;
  watches: readonly ListedWatch[];
  alerts: readonly ListedAlert[];
  /** Of the zone and the range. */
  prices: Live<EventSeries>;
  range: ChartRange;
}

export function PricesCard({ event, zone, watches, alerts, prices, range }: PricesCardProps) {
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const { data, error } = prices;
  const series = data.value;
  const to = coarseNow.value;
  const from = Math.max(
    to - range.days * dayMs,
    range.value === 'all' ? (series?.times[0] ?? 0) * 1_000 : 0,
  );
  return (
    <Card
      title={zone ?? 'Any seat'}
      also={
        <Segments name="Time range" options={ranges} value={range.value} onChoose={chooseRange} />
      }
    >
      {series && !isBlank(series) && (
        <PriceChart
          name={`Prices of ${zone ?? 'any seat'}, ${range.text}`}
          data={chartOf(series, 'get_in', hidden.value)}
          from={from}
          to={to}
          marks={marksOf(alerts, watches, zone)}
          levels={levelsOf(watches, zone)}
          looks={series.looks ?? undefined}
        />
      )}
      {series && isBlank(series) && (
        <div class="chart">
          <p class="muted empty">No prices are stored for this time.</p>
        </div>
      )}
      {!series && (
        <div class="chart">
          {error.value ? <Failed error={error.value} /> : <Waiting what="prices" />}
        </div>
      )}
      <div class="bar legend">
        <Legend hidden={hidden} />
        <span class="small muted">
          {[
            'listed prices, fees not included',
            ageText(event),
            looksText(event),
            series?.cut_before && 'older prices left out',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
    </Card>
  );
}

const legend = [
  { name: 'get-in', look: 'main' },
  { name: 'two together', look: 'thin' },
  { name: 'median', look: 'dashed' },
  { name: 'listings', look: 'columns' },
] as const;

/** Each but the main line can be switched off. */
function Legend({ hidden }: { hidden: { value: ReadonlySet<string> } }) {
  function toggle(name: string): void {
    const next = new Set(hidden.value);
    if (!next.delete(name)) next.add(name);
    hidden.value = next;
  }
  return (
    <div class="keys-of">
      {legend.map(({ name, look }) => (
        <button
          key={name}
          type="button"
          class={`plain small ${look}`}
          aria-pressed={!hidden.value.has(name)}
          disabled={look === 'main'}
          onClick={() => toggle(name)}
        >
          <i />
          {name}
        </button>
      ))}
      <span class="small alert-key">
        <i />
        alert
      </span>
    </div>
  );
}

function ageText({ latest }: EventDetail): string {
  return latest ? `data ${span(coarseNow.value - Date.parse(latest.observed_at))} old` : '';
}

/** Every look counts, whether it brought something or not. */
function looksText({ polling }: EventDetail): string {
  if (!polling) return '';
  const { looks_today: looks, pulls_today: pulls } = polling;
  return `looked ${plural(looks, 'time')} today, ${plural(pulls, 'pull')} paid`;
}

/** Alerts of the zone that is shown, at their prices; of rules that are gone only their times. */
function marksOf(
  alerts: readonly ListedAlert[],
  watches: readonly ListedWatch[],
  zone: string | null,
): ChartMark[] {
  const rules = new Map(watches.flatMap((watch) => watch.rules.map(({ id, rule }) => [id, rule])));
  return alerts.flatMap(({ observed_at: at, rule_id: id, now, unit, state }) => {
    const rule = rules.get(id) as RuleDraft | undefined;
    if (rule && (chartZoneOf(rule) ?? null) !== zone) return [];
    const value = rule && unit === 'dollars' ? now : null;
    return [{ at: Date.parse(at), value, isSent: state === 'sent' }];
  });
}

/** The levels that are prices of the zone that is shown. */
function levelsOf(watches: readonly ListedWatch[], zone: string | null): LevelLine[] {
  return watches.flatMap((watch) =>
    watch.rules.flatMap(({ id, rule, sentence }) => {
      const draft = rule as RuleDraft;
      const value = draft.type === 'level' || draft.type === 'listing' ? lineOf(draft) : undefined;
      if (value === undefined || (chartZoneOf(draft) ?? null) !== zone) return [];
      const choose = (price: number) => void moveLevel(watch, id, price);
      const canMove = canWrite.value && watch.status !== 'ended';
      return [{ id, name: sentence, value, ...(canMove && { choose }) }];
    }),
  );
}
