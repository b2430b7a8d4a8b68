import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that go through every step, seed or fault: minutes of work, run by `npm run test:exhaustive`. */
export const exhaustive = 'test/**/*.exhaustive.test.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, exhaustive],
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'threads',
    // Vitest keeps a core free; here much of a test's time is an emulator's, so both of two pay.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
