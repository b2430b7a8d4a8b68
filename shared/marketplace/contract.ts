/**
 * Every shape of the data service's API as zod schemas, by subject. The client and the marketplace
 * both use them. Responses are loose objects, so unknown fields pass through. Decides nothing about
 * charges, retries or storage.
 */
export * from './contract/account.ts';
export * from './contract/batch.ts';
export * from './contract/errors.ts';
export * from './contract/jobs.ts';
export * from './contract/listings.ts';
export * from './contract/sales.ts';
export * from './contract/search.ts';
export * from './contract/stats.ts';
export * from './contract/values.ts';
