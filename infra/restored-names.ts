/** The names by which the stack and `npm run restore` agree: what stands still, and the tables that are in use. */

/** The parameter that says whether schedules, queues and the API work. */
export const workParameter = 'Work';
export const workStates = ['on', 'halted'] as const;
export type WorkState = (typeof workStates)[number];

export const productTables = ['watchlist', 'snapshots'] as const;
export type ProductTable = (typeof productTables)[number];

/** The value of a restored table's parameter while the stack's own table is in use. */
export const ownTable = 'own';

/** The parameter with the name of a restored table. */
export const restoredParameters: Readonly<Record<ProductTable, string>> = {
  watchlist: 'RestoredWatchlist',
  snapshots: 'RestoredSnapshots',
};

/** The output with the name of the table that is in use. */
export const tableOutputs: Readonly<Record<ProductTable, string>> = {
  watchlist: 'WatchlistTable',
  snapshots: 'SnapshotsTable',
};
