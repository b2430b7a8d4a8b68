// The level of a rule on a chart: a line that a person drags, or moves by the arrow keys. What they choose is told
// once, when they let go.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { inUnit } from '../../words/amounts.ts';
import type { ChartUnit, LevelLine } from './chart-data.ts';
import { onStep, stepAt } from './level-steps.ts';
import { type ChartArea, yOf } from './scale.ts';

interface LevelHandleProps {
  level: LevelLine;
  unit: ChartUnit;
  area: ChartArea;
}

/** After the last key. */
const settledMs = 700;

export function LevelHandle({ level, unit, area }: LevelHandleProps) {
  const moving = useSignal<number | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const value = moving.value ?? level.value;
  const reach = area.high - area.low || 1;
  const y = yOf(area, value);
  const isOutside = y < 0 || y > area.height;
  const top = Math.min(area.height, Math.max(0, y));
  const text = inUnit(value, unit);
  const label = `${isOutside ? (y < 0 ? '↑ ' : '↓ ') : ''}your ${text}`;

  useEffect(() => () => clearTimeout(timer.current), []);
  // What was chosen has come back with the data.
  useEffect(() => {
    moving.value = undefined;
  }, [level.value]);

  function settle(): void {
    clearTimeout(timer.current);
    const chosen = moving.value;
    if (chosen !== undefined && chosen !== level.value) level.choose?.(chosen);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      clearTimeout(timer.current);
      moving.value = undefined;
    } else if (event.key === 'Enter') settle();
    else if (event.key in keySteps) {
      moving.value = onStep(value + (keySteps[event.key] ?? 0) * stepAt(value, unit), value, unit);
      clearTimeout(timer.current);
      timer.current = setTimeout(settle, settledMs);
    } else return;
    event.preventDefault();
  }

  function onPress(event: PointerEvent): void {
    const handle = event.currentTarget as HTMLElement;
    const from = { y: event.clientY, value };
    const onMove = ({ clientY }: PointerEvent) => {
      const moved = from.value - ((clientY - from.y) / area.height) * reach;
      moving.value = onStep(moved, moved, unit);
    };
    const stop = () => {
      handle.removeEventListener('pointermove', onMove);
      handle.removeEventListener('pointerup', onUp);
      handle.removeEventListener('pointercancel', onCancel);
    };
    const onUp = () => {
      stop();
      settle();
    };
    const onCancel = () => {
      stop();
      moving.value = undefined;
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('pointerup', onUp);
    handle.addEventListener('pointercancel', onCancel);
  }

  return (
    <div class={isOutside ? 'level outside' : 'level'} style={{ top: `${top.toFixed(1)}px` }}>
      {level.choose ? (
        <span
          class="pill"
          role="slider"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={level.name}
          aria-valuemin={0}
          aria-valuemax={Math.max(area.high, value) * 2}
          aria-valuenow={value}
          aria-valuetext={text}
          onKeyDown={onKey}
          onBlur={settle}
          onPointerDown={onPress}
        >
          {label}
        </span>
      ) : (
        <span class="pill">{label}</span>
      )}
    </div>
  );
}

const keySteps: Readonly<Record<string, number>> = {
  ...{ ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 },
};
