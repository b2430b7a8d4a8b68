// The marketplace calls that jobs make.
import { fetchSearchPage } from '#shared/marketplace/search.ts';
import { fetchStatsPage } from '#shared/marketplace/stats.ts';

export const marketplaceCalls = { searchPage: fetchSearchPage, statsPage: fetchStatsPage };
