// The board as CSV, for a spreadsheet: a row for each watch with its price, distance and state.
import type { z } from 'zod';
import { asText, writeCsv } from '../watches/csv-table.ts';
import { type listedWatchJsonSchema, standingRowJson } from '../watches/listed-watch-json.ts';
import { createListStanding } from '../watches/standing-list.ts';
import type { PublishedView } from './view.ts';

type Row = z.infer<typeof listedWatchJsonSchema>;
type Standing = NonNullable<Row['standing']>;

/** The stage's greatest number of watches of an owner. */
const mostRows = 10_000;

const columns: Record<string, (row: Row, standing: Standing) => string | number | null> = {
  event: ({ event_name: name, event_id: id }) => asText(name ?? `Event ${id}`),
  date: ({ event_date: date }) => date,
  name: ({ name }) => asText(name ?? ''),
  state: (_row, { state }) => state,
  get_in: (_row, standing) => standing.get_in,
  change_24h_percent: (_row, standing) => standing.get_in_change_24h_percent,
  value: (_row, standing) => nearestOf(standing)?.value ?? null,
  level: (_row, standing) => nearestOf(standing)?.level ?? null,
  distance_percent: (_row, standing) => standing.distance_percent,
  words: (_row, standing) => asText(nearestOf(standing)?.words ?? ''),
  trouble: ({ trouble }) => asText(trouble.map(({ text }) => text).join(' ')),
  last_alert_at: (_row, standing) => standing.last_alert?.fired_at ?? null,
  data_as_of: (_row, standing) => standing.data_as_of,
  next_poll_at: (_row, standing) => standing.next_poll_at,
  cost_pulls: (_row, standing) => standing.cost_pulls,
  tags: ({ tags }) => asText(tags.join(', ')),
  event_id: ({ event_id: id }) => id,
  watch_id: ({ id }) => id,
};

/** The rule that is nearest to its level; the first where none has a distance. */
function nearestOf({ rules, nearest_rule: nearest }: Standing) {
  return rules.find(({ id }) => id === nearest) ?? rules[0];
}

export const boardCsv: PublishedView = {
  summary: 'Every watch with its price, distance, state and trouble as CSV, the next event first',
  type: 'text/csv; charset=utf-8',
  async write(deps, { ownerId, now }) {
    const wanted = { ownerId, filter: {}, sort: 'date', page: { limit: mostRows } } as const;
    const { page } = await createListStanding(deps)(wanted, now);
    const rows = page.rows.flatMap((found) => {
      const row = standingRowJson(found, now);
      const { standing } = row;
      if (!standing) return [];
      return [Object.values(columns).map((write) => String(write(row, standing) ?? ''))];
    });
    return writeCsv([Object.keys(columns), ...rows]);
  },
};
