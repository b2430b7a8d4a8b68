import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import config, { exhaustive } from './vitest.config.ts';

export default mergeConfig(
  { ...config, test: { ...config.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: [exhaustive],
      exclude: configDefaults.exclude,
      // Ends what hangs. Each takes a minute or two of a core, which others may need at the same time.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // Few of them wait: with more workers each would only take longer, and meet its limit.
      maxWorkers: Math.max(2, availableParallelism()) + 1,
    },
  }),
);
