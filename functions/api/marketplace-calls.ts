// The marketplace calls that the API makes, under the names that its client gives them.
export { fetchListingsPage as listingsPage } from '#shared/marketplace/listings.ts';
export { fetchSearchPage as searchPage } from '#shared/marketplace/search.ts';
export { fetchStatsPage as statsPage, walkStats as stats } from '#shared/marketplace/stats.ts';
