// The drawing of a chart: axes, bars, lines, looks, alerts, and the crosshair.
import { zone } from '../../state/status.ts';
import { inUnit } from '../../words/amounts.ts';
import type { ChartData, ChartLooks, ChartMark } from './chart-data.ts';
import { barsPath, linePath, looksPath } from './paths.ts';
import { type ChartArea, timeTicks, valueTicks, xOf, yOf } from './scale.ts';

interface DrawingProps {
  area: ChartArea;
  data: ChartData;
  marks: readonly ChartMark[];
  looks: ChartLooks | undefined;
  /** The position of the crosshair. */
  cursor: number | undefined;
}

/** Pixels between two lines, and two times, of the axes. */
const lineSpace = 44;
const timeSpace = 64;

/** Decoration: the values are told by the crosshair and beside the chart. */
export function Drawing({ area, data, marks, looks, cursor }: DrawingProps) {
  const { left, top } = area;
  const { times, lines, bars } = data;
  return (
    <svg aria-hidden="true">
      <g transform={`translate(${left} ${top})`}>
        <Axes area={area} data={data} />
        {bars && <path class="bars-of" d={barsPath(area, times, bars.values)} />}
        {looks && <path class="looked" d={looksPath(area, looks, false)} />}
        {looks && <path class="paid" d={looksPath(area, looks, true)} />}
        {lines.map((line) => (
          <path key={line.name} class={`line-of ${line.look}`} d={linePath(area, times, line)} />
        ))}
        {marks.map((mark) => (
          <Mark key={mark.at} area={area} mark={mark} />
        ))}
        {cursor !== undefined && <Crosshair {...{ area, data, cursor }} />}
      </g>
    </svg>
  );
}

function Axes({ area, data: { unit } }: { area: ChartArea; data: ChartData }) {
  const { width, height, low, high, from, to } = area;
  return (
    <>
      {valueTicks(low, high, Math.max(2, height / lineSpace)).map((value) => (
        <g key={value}>
          <path class="grid-of" d={`M0 ${yOf(area, value)}H${width}`} />
          <text x={-8} y={yOf(area, value) + 4} text-anchor="end">
            {inUnit(value, unit)}
          </text>
        </g>
      ))}
      {timeTicks(from, to, Math.max(2, width / timeSpace), zone.value).map(({ at, text }) => (
        <text key={at} x={xOf(area, at)} y={height + 18} text-anchor="middle">
          {text}
        </text>
      ))}
    </>
  );
}

/** An alert that was not sent is hollow. */
function Mark({ area, mark: { at, value, isSent } }: { area: ChartArea; mark: ChartMark }) {
  const x = xOf(area, at);
  if (x < 0 || x > area.width) return null;
  const isInside = value !== null && value >= area.low && value <= area.high;
  return (
    <g class={isSent ? 'mark-of' : 'mark-of unsent'}>
      <path d={`M${x} 0V${area.height}`} />
      {isInside && <circle cx={x} cy={yOf(area, value)} r={4.5} />}
    </g>
  );
}

interface CrosshairProps {
  area: ChartArea;
  data: ChartData;
  cursor: number;
}

function Crosshair({ area, data: { times, lines }, cursor }: CrosshairProps) {
  const x = xOf(area, (times[cursor] ?? 0) * 1_000);
  return (
    <g class="crosshair">
      <path d={`M${x} 0V${area.height}`} />
      {lines.map(({ name, values }) => {
        const value = values[cursor] ?? null;
        return value !== null && <circle key={name} cx={x} cy={yOf(area, value)} r={3} />;
      })}
    </g>
  );
}
