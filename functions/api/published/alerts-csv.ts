// The newest alerts as CSV, for a spreadsheet.
import { asText, writeCsv } from '../watches/csv-table.ts';
import { recentAlerts, type WordedAlert } from './recent-alerts.ts';
import type { PublishedView } from './view.ts';

const mostAlerts = 1_000;

const columns: Record<string, (row: WordedAlert) => string> = {
  fired_at: ({ alert }) => new Date(alert.firedAt).toISOString(),
  event: ({ message }) => asText(message.event.name),
  event_date: ({ message }) => asText(message.event.date ?? ''),
  what: ({ message }) => asText(message.headline),
  where: ({ message }) => asText(message.scope ?? 'whole event'),
  rule: ({ message }) => asText(message.sentence),
  value: ({ message }) => message.value,
  level: ({ message }) => message.level ?? '',
  observed_at: ({ alert }) => new Date(alert.observedAt).toISOString(),
  event_id: ({ alert }) => String(alert.eventId),
  watch_id: ({ alert }) => alert.watchId,
  alert_id: ({ alert }) => alert.alertId,
};

export const alertsCsv: PublishedView = {
  summary: `The newest ${mostAlerts.toLocaleString('en')} alerts as CSV`,
  type: 'text/csv; charset=utf-8',
  async write({ stores }, { ownerId, now }) {
    const rows = await recentAlerts(stores, ownerId, { limit: mostAlerts, now });
    const cells = rows.map((row) => Object.values(columns).map((write) => write(row)));
    return writeCsv([Object.keys(columns), ...cells]);
  },
};
