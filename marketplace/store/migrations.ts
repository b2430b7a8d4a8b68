/**
 * Migrates a file of an earlier schema to the current one. The step at index n migrates version n +
 * 1 to the next; append a step whenever `schemaVersion` grows. Steps keep every row.
 */
import { listingsTable, salesTable } from './schema.ts';

const listingColumns = `id, event_id, source, listing_id, active, sold, zone, section, row,
  quantity_start, quantity, price_cents, all_in_cents, created_at, updated_at`;
const saleColumns = `id, event_id, source_rank, sold_at_seconds, listing_id, listing_row, returned,
  quantity, price_cents, all_in_cents, zone, section, row, norm_zone, norm_section`;

/** Version 1 stored numeric listing ids as floats. */
function asInteger(columns: string): string {
  return columns.replace(
    'listing_id,',
    "iif(typeof(listing_id) = 'real', CAST(listing_id AS INTEGER), listing_id),",
  );
}

function rebuild(table: string, o: { definition: string; columns: string }): string {
  const indexes = [...o.definition.matchAll(/CREATE INDEX (\w+)/g)].map(([, name]) => name);
  return `
    ${indexes.map((name) => `DROP INDEX ${name};`).join(' ')}
    ALTER TABLE ${table} RENAME TO ${table}_before;
    ${o.definition}
    INSERT INTO ${table} (${o.columns}) SELECT ${asInteger(o.columns)} FROM ${table}_before;
    DROP TABLE ${table}_before;`;
}

export const migrations: readonly string[] = [
  rebuild('listings', { definition: listingsTable, columns: listingColumns }) +
    rebuild('sales', { definition: salesTable, columns: saleColumns }),
];
