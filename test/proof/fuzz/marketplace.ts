/**
 * The marketplace as a fuzzing target: a seeded market with known events, limits that are never reached, and
 * the keys of a customer and of the operator.
 */
import { startMarketplace } from '#marketplace/start.ts';
import type { Target } from './schemathesis.ts';

const never = { limit: 1_000_000_000, window_seconds: 60 };

const rateLimits = {
  ...{ account: never, usage: never, events_search: never, salesdata: never, sales: never },
  ...{ sales_batch: never, listings: never, events_stats: never, daily_csv: never },
};

export async function startMarketplaceTarget(): Promise<Target> {
  const faults: string[] = [];
  const marketplace = await startMarketplace({
    port: 0,
    dbFile: ':memory:',
    source: { kind: 'simulator', seed: 8, events: 20, speed: 1, historyDays: 5 },
    onProgress: (line) => {
      if (line.startsWith('fault')) faults.push(line);
    },
    rateLimits,
  });
  return {
    name: 'marketplace',
    url: marketplace.url,
    configFile: 'marketplace.toml',
    variables: { CUSTOMER_KEY: marketplace.keys.main, OPERATOR_KEY: marketplace.keys.operator },
    excludedChecks: [],
    readFaults: () => faults,
    stop: () => marketplace.stop(),
  };
}
