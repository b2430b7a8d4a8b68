// Says what the market did since an alert, for messages that are kept up to date. Times are absolute, so a
// line stays true for as long as it stands there.
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import type { Alert } from '../../alerts/alert.ts';
import { wayOf } from '../episodes/episode-state.ts';
import type { EpisodeState } from '../episodes/living-message.ts';
import type { EpisodeLine } from './episode-line.ts';
import { momentText, valueText } from './figures.ts';

/** @returns undefined while there is nothing to add to the alert. */
export function episodeText(
  alert: Alert,
  state: EpisodeState,
  timeZone: string,
): EpisodeLine | undefined {
  const words = wordsOf(alert, state);
  if (words === undefined) return undefined;
  const isTimeless = state.kind === 'event_over';
  return {
    line: isTimeless ? words : `${words} · ${momentText(state.at, timeZone)}`,
    isOver: state.kind !== 'new_low',
  };
}

function wordsOf(alert: Alert, { kind, value }: EpisodeState): string | undefined {
  const { base } = parseSeries(alert.series);
  const told = value === null ? undefined : valueText(unitOf(base), value);
  switch (kind) {
    case 'reached':
      return undefined;
    case 'new_low':
      return `New ${wayOf(alert) === 'down' ? 'low' : 'high'}: ${told}`;
    case 'went_back':
      return backText(alert, told);
    case 'listing_gone':
      return told === undefined
        ? 'That listing is gone, and no other match is for sale'
        : `That listing is gone; the cheapest match is now ${told}`;
    case 'event_over':
      return 'Over: the event has begun';
    case 'bought':
      return 'You bought a ticket';
  }
}

function backText(alert: Alert, told: string | undefined): string {
  if (parseSeries(alert.series).base.kind === 'presence') {
    return alert.direction === 'up' ? 'Nothing is for sale there again' : 'For sale there again';
  }
  if (told === undefined) return 'No longer reached';
  return alert.listings.length > 0 ? `That listing is now ${told}` : `Went back to ${told}`;
}
