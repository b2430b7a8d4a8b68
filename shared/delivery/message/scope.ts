// Says which part of an event an alert is about: a zone, or the seats that a listing filter matches.
import { listingFilterOf } from '#shared/rules/language/listing-filter.ts';
import { type BaseSeries, filterOf } from '#shared/rules/sources/sources.ts';
import { listWords } from '#shared/rules/words/words.ts';
import { nameText } from './plain-text.ts';

/** Said of a zone whose name has no character that can be seen. */
const nameless = 'a zone without a name';

/** "Lower Bowl"; "section 101-105, row A-K, 2 or more together"; undefined for the whole event. */
export function scopeText(base: BaseSeries): string | undefined {
  if ('zone' in base) return base.zone === null ? undefined : nameText(base.zone) || nameless;
  const key = filterOf(base);
  if (key === undefined) return undefined;
  const { zones, sections, rows, min_quantity: least = 1 } = listingFilterOf(key);
  const parts = [
    zones && listWords(zones),
    sections && `section ${sections.join(', ')}`,
    rows && `row ${rows.join(', ')}`,
    least > 1 ? `${least} or more together` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : nameText(parts.join(', '));
}
