import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** The tests of the functions over dynalite: `npm test` runs them over the simulated DynamoDB, which is faster. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({
    test: { include: ['test/functions/**/*.test.ts'], env: { TEST_TABLES: 'dynalite' } },
  }),
);
