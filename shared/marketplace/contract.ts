/**
 * Every shape of the data service's API as zod schemas, by subject: the one source of shapes for
 * the client and the marketplace. Responses are loose objects, so that fields unknown here pass
 * through. Describes only; decides nothing about charges, retries or storage.
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
