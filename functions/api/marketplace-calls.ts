// The marketplace calls that the API makes.
import { fetchListingsPage } from '#shared/marketplace/listings.ts';
import { fetchSearchPage } from '#shared/marketplace/search.ts';
import { fetchStatsPage, walkStats } from '#shared/marketplace/stats.ts';

export const marketplaceCalls = {
  searchPage: fetchSearchPage,
  listingsPage: fetchListingsPage,
  stats: walkStats,
  statsPage: fetchStatsPage,
};
