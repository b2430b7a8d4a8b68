// The numbers of an event for a chart, kept fresh.
import { type EventSeries, readSeries } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { type Live, useLive } from '../../state/live.ts';
import { metricsFor } from './event-chart.ts';

interface SeriesWanted {
  /** As the API names the range: `24h`, `30d`, `all`. */
  span: string;
  /** The number that the chart is about. */
  metric: string;
  /** null: the whole event. */
  zone: string | null;
  /** Whether to ask when we looked, for a range of at most 3 days. */
  hasLooks?: boolean;
}

export function useSeries(
  eventId: number | string,
  { span, metric, zone, hasLooks = false }: SeriesWanted,
): Live<EventSeries> {
  return useLive(
    (signal) =>
      send(readSeries, {
        path: { event_id: String(eventId) },
        query: {
          ...{ span, metric: metricsFor(metric), zone: zone ?? '' },
          ...(hasLooks && { include: 'looks' }),
        },
        signal,
      }),
    [eventId, span, metric, zone],
  );
}
