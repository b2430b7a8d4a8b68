// A line of prices as large as a word, with the level as a dotted line and the newest price as a dot.

const width = 112;
const height = 28;
const edge = 2;

interface SparklineProps {
  /** Oldest first; null where nothing was for sale. */
  values: readonly (number | null)[];
  level?: number | null;
}

/** Decoration: the numbers stand beside it. */
export function Sparkline({ values, level = null }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const last = values.at(-1);
  if (known.length < 2) return <span class="spark" />;
  const shown = level === null ? known : [...known, level];
  const low = Math.min(...shown);
  const reach = Math.max(...shown) - low || 1;
  const x = (position: number) => edge + (position / (values.length - 1)) * (width - 2 * edge);
  const y = (value: number) => edge + (1 - (value - low) / reach) * (height - 2 * edge);
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {level !== null && <path class="level" d={`M0 ${y(level).toFixed(1)}H${width}`} />}
      <path class="line" d={pathOf(values, x, y)} />
      {last !== null && last !== undefined && (
        <circle cx={x(values.length - 1).toFixed(1)} cy={y(last).toFixed(1)} r="2.2" />
      )}
    </svg>
  );
}

/** A gap where there is no value. */
function pathOf(
  values: readonly (number | null)[],
  x: (position: number) => number,
  y: (value: number) => number,
): string {
  let isDown = false;
  return values
    .map((value, position) => {
      if (value === null) {
        isDown = false;
        return '';
      }
      const step = `${isDown ? 'L' : 'M'}${x(position).toFixed(1)} ${y(value).toFixed(1)}`;
      isDown = true;
      return step;
    })
    .join('');
}
