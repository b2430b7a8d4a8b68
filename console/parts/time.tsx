// A time in the owner's zone, with the whole time in its title.
import { coarseNow } from '../state/clock.ts';
import { zone } from '../state/status.ts';
import { shortTime, span, wholeTime } from '../words/times.ts';

/** `14:06`, `Tue 14:06`; what `none` says without a time. */
export function At({ time, none = '–' }: { time: string | null | undefined; none?: string }) {
  if (!time) return <>{none}</>;
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={wholeTime(at, zone.value)}>
      {shortTime(at, coarseNow.value, zone.value)}
    </time>
  );
}

/** `2 d ago`. */
export function Ago({ time, none = 'never' }: { time: string | null | undefined; none?: string }) {
  if (!time) return <>{none}</>;
  const at = Date.parse(time);
  return (
    <time dateTime={time} title={wholeTime(at, zone.value)}>
      {span(coarseNow.value - at)} ago
    </time>
  );
}
