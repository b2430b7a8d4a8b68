// A day as a bar of 24 hours with two edges, moved by mouse, finger or keys.
import { useRef } from 'preact/hooks';
import { dayMinutes, moveEdge, type QuietSpan, quietParts, timeOf } from './quiet-hours.ts';

interface DayBarProps {
  span: QuietSpan;
  /** Minutes of the day now, where the owner is. */
  now: number;
  onChange: (span: QuietSpan) => void;
}

const edges = [
  { edge: 'from', label: 'Quiet from' },
  { edge: 'to', label: 'Quiet until' },
] as const;

const hourMarks = [0, 6, 12, 18, 24];

/** How far each key moves an edge, in minutes. */
const keySteps: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -15, ArrowDown: -15, ArrowRight: 15, ArrowUp: 15 },
  ...{ PageDown: -60, PageUp: 60 },
};

const percent = (share: number) => `${share * 100}%`;

export function DayBar({ span, now, onChange }: DayBarProps) {
  const bar = useRef<HTMLDivElement>(null);

  function drag(event: PointerEvent, edge: keyof QuietSpan): void {
    const { currentTarget, clientX, pointerId } = event;
    if (!(currentTarget instanceof HTMLElement) || !currentTarget.hasPointerCapture(pointerId))
      return;
    const { left = 0, width = 1 } = bar.current?.getBoundingClientRect() ?? {};
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    onChange(moveEdge(span, edge, share * dayMinutes));
  }

  function press(event: KeyboardEvent, edge: keyof QuietSpan): void {
    const step = keySteps[event.key];
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? dayMinutes - 15 : undefined;
    if (step === undefined && target === undefined) return;
    event.preventDefault();
    onChange(moveEdge(span, edge, target ?? span[edge] + (step ?? 0)));
  }

  return (
    <div class="day">
      <div class="day-bar" ref={bar}>
        {quietParts(span).map(({ start, length }) => (
          <i key={start} style={{ left: percent(start), width: percent(length) }} />
        ))}
        <b style={{ left: percent(now / dayMinutes) }} />
        {edges.map(({ edge, label }) => (
          <button
            key={edge}
            type="button"
            role="slider"
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={dayMinutes - 1}
            aria-valuenow={span[edge]}
            aria-valuetext={timeOf(span[edge])}
            style={{ left: percent(span[edge] / dayMinutes) }}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => drag(event, edge)}
            onKeyDown={(event) => press(event, edge)}
          />
        ))}
      </div>
      <div class="day-marks small muted" aria-hidden="true">
        {hourMarks.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  );
}
