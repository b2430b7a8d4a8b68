// The marketplace calls that jobs make, under the names that their client gives them.
export { fetchSearchPage as searchPage } from '#shared/marketplace/search.ts';
export { fetchStatsPage as statsPage } from '#shared/marketplace/stats.ts';
