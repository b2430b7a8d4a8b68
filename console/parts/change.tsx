// By how much a price has changed.
import { decimal } from '../words/amounts.ts';

/** A falling price is good for a buyer, so it is green. */
export function Change({ percent }: { percent: number | null }) {
  if (percent === null) return <span class="faint">–</span>;
  if (percent === 0) return <span class="faint">0%</span>;
  const look = percent < 0 ? 'fall' : 'rise';
  return (
    <span class={look}>
      {percent < 0 ? '▼' : '▲'} {decimal(Math.abs(percent))}%
    </span>
  );
}
