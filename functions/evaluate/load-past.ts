// Reads the past of a feed's series for a catch-up. A series whose past can't be used is left out, and no other is.
import type { HistoryRequest, LoadedPast, LoadHistory } from '#shared/dynamo/history.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import { isTransient } from '#shared/lambda/transient.ts';
import { parseSeries, type SeriesKey } from '#shared/rules/series.ts';

interface UsablePast extends LoadedPast {
  /** The series that it is of. */
  series: SeriesKey[];
}

/** The series that this release can parse; no trigger can match on the others. */
export function readableSeries(series: readonly SeriesKey[], eventId: number): SeriesKey[] {
  return series.filter((key) => {
    try {
      return parseSeries(key) !== undefined;
    } catch (error) {
      const ids = { eventId, series: key };
      reportFault({ thing: 'evaluation_history', reason: reasonOf(error), ids, error });
      return false;
    }
  });
}

/** The past of the series, without a series whose stored past can't be used. */
export async function loadPast(
  loadHistory: LoadHistory,
  request: HistoryRequest,
): Promise<UsablePast> {
  const { series } = request;
  try {
    return { ...(await loadHistory(request)), series: [...series] };
  } catch (error) {
    if (isTransient(error) || series.length === 0) throw error;
    const { eventId } = request.feed;
    const [only, ...others] = series;
    if (only !== undefined && others.length === 0) {
      const ids = { eventId, series: only };
      reportFault({ thing: 'evaluation_history', reason: reasonOf(error), ids, error });
      return loadPast(loadHistory, { ...request, series: [] });
    }
    const usable: SeriesKey[] = [];
    for (const key of series) {
      usable.push(...(await loadPast(loadHistory, { ...request, series: [key] })).series);
    }
    return loadPast(loadHistory, { ...request, series: usable });
  }
}
