/** The documents that clients are generated from. */
import { type Called, startWatchlist } from './watchlist-api.ts';

/** A document, the program that serves it, and the drivers of its clients in the folder of its name. */
export interface Subject {
  name: string;
  /** The name of the generated package. */
  packageName: string;
  /** Starts what a client calls, with the same data for each client. */
  start(): Promise<Called>;
}

/** Every subject; the marketplace is running already. */
export function subjectsBeside(marketplace: { url: string; key: string }): Subject[] {
  return [
    {
      name: 'marketplace',
      packageName: 'market',
      start: async () => ({ ...marketplace, stop: async () => {} }),
    },
    { name: 'watchlist', packageName: 'watchlist', start: startWatchlist },
  ];
}
