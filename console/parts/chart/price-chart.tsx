// A chart of prices with a crosshair, and the levels of rules to drag.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { coarseNow } from '../../state/clock.ts';
import { zone } from '../../state/status.ts';
import {
  type ChartData,
  type ChartLooks,
  type ChartMark,
  type LevelLine,
  positionAt,
  rangeOf,
  readoutAt,
} from './chart-data.ts';
import { Drawing } from './drawing.tsx';
import { LevelHandle } from './level-handle.tsx';
import { type ChartArea, timeAt } from './scale.ts';

interface PriceChartProps {
  /** What it shows, for screen readers: `Prices of Lower Bowl, 30 d`. */
  name: string;
  data: ChartData;
  /** The range, epoch milliseconds. */
  from: number;
  to: number;
  marks?: readonly ChartMark[];
  levels?: readonly LevelLine[];
  looks?: ChartLooks | undefined;
}

/** Room for the texts of the axes, in pixels. */
const margin = { left: 56, right: 16, top: 14, bottom: 30 };

export function PriceChart({
  name,
  data,
  from,
  to,
  marks = [],
  levels = [],
  looks,
}: PriceChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const size = useSignal<{ width: number; height: number } | undefined>(undefined);
  const cursor = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const resized = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  const last = Math.max(0, data.times.length - 1);
  const at = Math.min(cursor.value ?? last, last);
  const told = { now: coarseNow.value, zone: zone.value };
  const readout = readoutAt(data, at, told);
  const area = size.value && areaOf(size.value, { from, to }, data, levels);

  function move(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: at - 1, ArrowRight: at + 1, PageDown: at - 20, PageUp: at + 20 },
      ...{ Home: 0, End: last },
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    cursor.value = Math.min(last, Math.max(0, next));
  }

  function point({ clientX }: PointerEvent): void {
    const box = holder.current?.getBoundingClientRect();
    if (!box || !area) return;
    const time = timeAt(area, clientX - box.left - area.left) / 1_000;
    cursor.value = Math.max(0, positionAt(data.times, time));
  }
  const leave = () => {
    cursor.value = undefined;
  };

  return (
    <div class="chart">
      <div
        ref={holder}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={readout ? readoutText(readout) : 'no values'}
        onKeyDown={move}
        onBlur={leave}
        onPointerMove={point}
        onPointerLeave={leave}
      >
        {area && <Drawing {...{ area, data, marks, looks, cursor: cursor.value }} />}
      </div>
      {area && (
        <div class="levels" style={placeOf(area)}>
          {levels.map((level) => (
            <LevelHandle key={level.id} {...{ level, area, unit: data.unit }} />
          ))}
        </div>
      )}
      {cursor.value !== undefined && readout && (
        <div class="readout">
          <span>{readout.time}</span>
          {readout.values.map(({ name: what, text }) => (
            <span key={what}>
              {what} <b>{text}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function areaOf(
  { width, height }: { width: number; height: number },
  range: { from: number; to: number },
  { lines, bars }: ChartData,
  levels: readonly LevelLine[],
): ChartArea {
  const values = levels.map(({ value }) => value);
  const [low, high] = rangeOf(lines, values, bars !== undefined);
  return {
    ...{ left: margin.left, top: margin.top, low, high, ...range },
    width: Math.max(1, width - margin.left - margin.right),
    height: Math.max(1, height - margin.top - margin.bottom),
  };
}

function placeOf({ left, top, width, height }: ChartArea) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

function readoutText({ time, values }: NonNullable<ReturnType<typeof readoutAt>>): string {
  return [time, ...values.map(({ name, text }) => `${name} ${text}`)].join(', ');
}
