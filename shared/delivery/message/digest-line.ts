// What a digest says of one alert beside its lead; each channel sets it in its own form.
import type { AlertMessage } from './message.ts';

/** The part of the event that an alert is about; undefined for the whole event, and where a listing says it. */
export function scopeInDigest({ scope, listings }: AlertMessage): string | undefined {
  return listings.length > 0 ? undefined : scope;
}

/** What an alert says after its lead, which ends with what it did: "from $90 since Feb 28, 2:00 PM EST". */
export function afterLead({ lead, detail }: AlertMessage): string {
  const [, moved = '', did = ''] = /([▼▲] (.*?))(?:, one listing)?$/.exec(lead) ?? [];
  const repeated = [moved, did].find((words) => words !== '' && detail.startsWith(words)) ?? '';
  return detail.slice(repeated.length).trim();
}

/** The scope, the cheapest listing and what follows the lead, as far as there are any. */
export function partsAfterLead(alert: AlertMessage): string[] {
  const scope = scopeInDigest(alert);
  const parts = [...(scope ? [scope] : []), ...alert.listings.slice(0, 1), afterLead(alert)];
  return parts.filter((part) => part !== '');
}
