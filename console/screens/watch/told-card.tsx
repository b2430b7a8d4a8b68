// What the open rule would have told: its alerts on the chart, and the level to drag.
import { RefusedError } from '../../api/errors.ts';
import { Card } from '../../parts/card.tsx';
import type { ChartMark, LevelLine } from '../../parts/chart/chart-data.ts';
import { chartOf, isBlank } from '../../parts/chart/event-chart.ts';
import { PriceChart } from '../../parts/chart/price-chart.tsx';
import { useSeries } from '../../parts/chart/use-series.ts';
import { Segments } from '../../parts/segments.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone as timeZone } from '../../state/status.ts';
import { dayText } from '../../words/times.ts';
import { type Composition, openRule, putRule } from './composition.ts';
import { chartMetricOf, chartZoneOf, lineOf, withLine } from './rule-amount.ts';
import { isOfListings, type RuleDraft } from './rule-draft.ts';
import { canBuy, heldText, lastText, rangeText, timesText } from './told-words.ts';
import type { WatchPreview } from './use-preview.ts';

const dayMs = 86_400_000;
const ranges = [
  { value: 7, text: '7 d' },
  { value: 30, text: '30 d' },
  { value: 90, text: '90 d' },
];

interface ToldCardProps {
  composition: Composition;
  preview: WatchPreview;
}

export function ToldCard({ composition, preview }: ToldCardProps) {
  const draft = openRule(composition)?.draft;
  if (!draft) return null;
  const { days } = preview;
  return (
    <Card
      title="What it would have told you"
      also={
        <Segments
          name="Time range"
          options={ranges}
          value={days.value}
          onChoose={(value) => {
            days.value = value;
          }}
        />
      }
    >
      <ToldChart
        {...{ composition, preview, draft }}
        metric={chartMetricOf(draft)}
        zone={chartZoneOf(draft) ?? null}
      />
      <Told preview={preview} draft={draft} />
    </Card>
  );
}

interface ToldChartProps extends ToldCardProps {
  draft: RuleDraft;
  metric: string;
  zone: string | null;
}

function ToldChart({ composition, preview, draft, metric, zone }: ToldChartProps) {
  const { event_id: id } = composition.event;
  const days = preview.days.value;
  const { data, error } = useSeries(id, { span: `${days}d`, metric, zone });
  const series = data.value;
  const isUnknown = error.value instanceof RefusedError && error.value.status === 404;
  if (!series && !isUnknown) return <div class="chart" />;
  if (!series || isBlank(series)) {
    return (
      <div class="chart">
        <p class="muted empty">
          No prices of this event are stored yet. They come a minute after the watch is made.
        </p>
      </div>
    );
  }
  const chart = chartOf(series, metric);
  const told = preview.data.value;
  const isSameUnit = told?.unit === chart.unit;
  return (
    <PriceChart
      name={`Prices, and when the rule would have told you, over ${days} days`}
      data={chart}
      from={coarseNow.value - days * dayMs}
      to={coarseNow.value}
      marks={told ? marksOf(told.fires, isSameUnit) : []}
      levels={levelsOf(draft, composition)}
    />
  );
}

function marksOf(
  fires: readonly { observed_at: string; value: number }[],
  hasValue: boolean,
): ChartMark[] {
  return fires.map(({ observed_at: at, value }) => ({
    ...{ at: Date.parse(at), isSent: true, value: hasValue ? value : null },
  }));
}

function levelsOf(draft: RuleDraft, composition: Composition): LevelLine[] {
  const value = lineOf(draft);
  if (value === undefined || (draft.type === 'supply' && draft.matching)) return [];
  const choose = (chosen: number) => putRule(composition, withLine(draft, chosen));
  return [{ id: 'own', name: 'Level of the rule', value, ...(canWrite.value && { choose }) }];
}

/** A fault of the rule stands at its slot. */
function whyUnknown(error: Error): string {
  const isAtSlot = error instanceof RefusedError && error.faults.length > 0;
  return isAtSlot ? 'The rule can’t be tried as it is written.' : error.message;
}

function Told({ preview, draft }: { preview: WatchPreview; draft: RuleDraft }) {
  const { data, error, isOld, days } = preview;
  const told = data.value;
  if (error.value && isOld.value) return <p class="hint">{whyUnknown(error.value)}</p>;
  if (!told) return null;
  const since = coarseNow.value - days.value * dayMs;
  const range = rangeText(told, days.value);
  return (
    <div class={isOld.value ? 'hint old' : 'hint'} aria-live="polite">
      {range === '' ? (
        <span>Nothing is known of this time.</span>
      ) : (
        <span>
          <b>
            {timesText(told.count)} {range}
          </b>
          {lastText(told, (at) => dayText(at, timeZone.value))}. {heldText(told)}
          {lineOf(draft) !== undefined && ' Drag the line to try another level.'}
        </span>
      )}
      {canWrite.value && canBuy(told, isOfListings(draft), since) && (
        <button type="button" onClick={preview.buy}>
          Use older prices, for at most 1 pull
        </button>
      )}
      {told.bought && <span>Older prices cost {told.bought.pulls} pulls.</span>}
    </div>
  );
}
