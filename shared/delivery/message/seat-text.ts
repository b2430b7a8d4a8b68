// A listing in words: its seats and its tickets.
import type { ListingMatch } from '#shared/rules/listings-snapshot.ts';
import { moneyText, valueText } from './figures.ts';
import { nameText, singleLine } from './plain-text.ts';

/** "section 101, row A, 2 tickets"; parts that the marketplace does not name are left out. */
export function seatText({ section, row, quantity }: ListingMatch): string {
  const tickets = `${valueText('count', quantity)} ${quantity === 1 ? 'ticket' : 'tickets'}`;
  return [named('section', section), named('row', row), tickets]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** "$120 · section 101, row A, 2 tickets, Lower Bowl". */
export function listingLine(listing: ListingMatch): string {
  const line = `${moneyText(listing.priceCents)} · ${seatText(listing)}`;
  const zone = nameText(listing.zone);
  return singleLine(zone === '' ? line : `${line}, ${zone}`);
}

function named(what: string, name: string): string | undefined {
  const text = nameText(name);
  return text === '' ? undefined : `${what} ${text}`;
}
