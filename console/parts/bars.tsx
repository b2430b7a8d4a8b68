// Amounts in a row of bars, with a limit as a line. The same numbers stand in a table for those who don't see it.

export interface Bar {
  /** Such as a date. */
  name: string;
  value: number;
  /** The value with its unit. */
  words: string;
}

interface BarsProps {
  /** What the bars are, in a sentence. */
  label: string;
  bars: readonly Bar[];
  /** The value of the top edge. */
  top: number;
  topWords: string;
  line?: { value: number; words: string } | undefined;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

export function Bars({ label, bars, top, topWords, line }: BarsProps) {
  const middle = bars[Math.floor((bars.length - 1) / 2)];
  return (
    <figure class="bars">
      <div class="bars-plot" role="img" aria-label={label}>
        <span class="bars-top small muted">{topWords}</span>
        {bars.map(({ name, value, words }) => (
          <i key={name} title={`${name}: ${words}`}>
            <b style={{ height: percent(Math.min(1, value / top)) }} />
          </i>
        ))}
        {line && (
          <span class="bars-line small" style={{ bottom: percent(line.value / top) }}>
            {line.words}
          </span>
        )}
      </div>
      <figcaption class="bars-names small muted" aria-hidden="true">
        <span>{bars[0]?.name}</span>
        {bars.length > 4 && <span>{middle?.name}</span>}
        <span>{bars.at(-1)?.name}</span>
      </figcaption>
    </figure>
  );
}
