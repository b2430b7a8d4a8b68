// What a watch costs at the latency that a person chooses, and the button that saves it.
import type { ComponentChildren } from 'preact';
import { Card } from '../../parts/card.tsx';
import { status } from '../../state/status.ts';
import { latencyWords } from '../../words/times.ts';
import type { Composition } from './composition.ts';
import { costText, latencyOptions, leftText, perDayText } from './cost-words.ts';
import type { WatchPreview } from './use-preview.ts';

interface CostCardProps {
  composition: Composition;
  preview: WatchPreview;
  /** In seconds, of a watch that sets none. */
  usualLatency: number;
  children: ComponentChildren;
}

export function CostCard({ composition, preview, usualLatency, children }: CostCardProps) {
  const { latency } = composition;
  const forecast = preview.data.value?.forecast;
  const chosen = latency.value ?? usualLatency;
  return (
    <Card title="What it costs">
      {forecast && (
        <div class={preview.isOld.value ? 'cost old' : 'cost'}>
          <label>
            Tell me within{' '}
            <select
              class="slot"
              value={chosen}
              onChange={({ currentTarget }) => {
                latency.value = Number(currentTarget.value);
              }}
            >
              {latencyOptions(forecast, chosen).map(({ seconds, text }) => (
                <option key={seconds} value={seconds}>
                  {latencyWords(seconds)}: {text}
                </option>
              ))}
            </select>
          </label>
          <p>
            {forecast.pulls_per_day_added > 0 && (
              <>
                At most{' '}
                <b>{perDayText(forecast.pulls_per_day_added, forecast.flat_value_per_day)}</b>
              </>
            )}
            {costText(forecast)} {status.value && leftText(status.value)}
          </p>
        </div>
      )}
      <div class="bar save">{children}</div>
    </Card>
  );
}
