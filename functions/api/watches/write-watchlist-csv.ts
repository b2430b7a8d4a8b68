// Writes a watchlist as CSV: the columns that an import reads, and columns for people about the present.
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Trouble } from '#shared/watchlist/trouble-table.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { boughtJson } from './bought-json.ts';
import type { ChannelNames } from './channel-names.ts';
import { asText, writeCsv } from './csv-table.ts';
import { nearestOf } from './nearest-rule.ts';
import { plainOf } from './plain-rules.ts';
import type { StandingOfWatch } from './standing-list.ts';
import { ruleStandingJson } from './watch-json.ts';
import { columns, readOnlyColumns } from './watchlist-csv.ts';
import { fileRow } from './watchlist-file.ts';

/** Columns that a spreadsheet is to read as numbers and dates. */
const numeric: ReadonlySet<string> = new Set([
  ...['event_id', 'date', 'at_or_below', 'drop_percent', 'latency_seconds'],
  ...['value', 'distance_percent', 'last_alert_at', 'bought_at', 'price_paid'],
]);

/** What an export says beside the watches. */
export interface CsvExtras {
  channels: ChannelNames;
  /** By event id. */
  facts: ReadonlyMap<number, EventFacts | undefined>;
  /** By watch id. */
  troubles: ReadonlyMap<string, readonly Trouble[]>;
  /** By watch id; the columns of a watch without it are empty. */
  standings?: ReadonlyMap<string, StandingOfWatch>;
}

/** The watches as CSV. Text that a spreadsheet would compute stays text. */
export function csvFile(
  watches: readonly Watch[],
  extras: CsvExtras,
  form: Parameters<typeof writeCsv>[1] = {},
): string {
  const names = [...columns, ...readOnlyColumns];
  const lines = watches.map((watch) => {
    const cells: Record<string, string> = { ...rowOf(watch, extras), ...presentOf(watch, extras) };
    return names.map((column) => {
      const cell = cells[column] ?? '';
      return numeric.has(column) ? cell : asText(cell);
    });
  });
  return writeCsv([names, ...lines], form);
}

/** The columns that an import reads, and the event's name and date. */
function rowOf(watch: Watch, { channels, facts }: CsvExtras): Record<string, string> {
  const row = fileRow(watch);
  const plain = plainOf(watch.rules.map(({ rule }) => rule));
  const { name: event = '', date = '' } = facts.get(watch.eventId) ?? {};
  const fallback = row.fallback_channel;
  return {
    ...{ id: watch.watchId, event_id: String(row.event_id), event, date },
    ...plain,
    channels: (row.channels ?? []).map((id) => channels.written(id)).join('; '),
    tags: (row.tags ?? []).join(' '),
    latency_seconds: String(row.latency_seconds ?? ''),
    name: row.name ?? '',
    fallback_channel: fallback === undefined ? '' : channels.written(fallback),
    rules: plain ? '' : JSON.stringify(row.rules),
  };
}

/** The columns for people: those of the rule that is nearest to its level. */
function presentOf(watch: Watch, { troubles, standings }: CsvExtras) {
  const { watchId } = watch;
  const own = troubles.get(watchId) ?? [];
  const bought = boughtJson(watch.bought);
  const always = {
    trouble: own.map(({ text }) => text).join(' '),
    bought_at: bought?.at ?? '',
    price_paid: String(bought?.price_paid ?? ''),
  };
  const found = standings?.get(watchId);
  if (!found) return always;
  const { state, standing } = found;
  const nearest = nearestOf(standing.rules);
  const shown = nearest?.rule ?? standing.rules[0];
  // A watch whose stored rules are all damaged has none.
  const value = shown ? ruleStandingJson(shown).value : null;
  return {
    ...{ ...always, state, value: value === null ? '' : String(value) },
    distance_percent: nearest ? String(Math.max(0, nearest.share) / 100) : '',
    last_alert_at: standing.lastAlert ? new Date(standing.lastAlert.firedAt).toISOString() : '',
  };
}
