import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** Tests that go through every step, seed or fault: minutes of work, run by `npm run test:exhaustive`. */
export const exhaustive = 'test/**/*.exhaustive.test.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, exhaustive],
    passWithNoTests: false,
    env: {
      // For the programs that tests start: they compile what others have compiled before them.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile'),
      // The CDK's own rules take nine seconds for each template. `npm run synth` checks them.
      CDK_VALIDATION: 'false',
    },
    globalSetup: ['test/support/run-folder.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long `expect.poll` asks again: the machine may be busy.
    expect: { poll: { timeout: 10_000 } },
    pool: 'threads',
    // Node loads the modules itself, as it does for the product: Vite's own modules make calls between files slower,
    // which took a fifth of the tests' time. Without them there is no `vi.mock`, which no test uses.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Loading the AWS clients and the schemas again for each file costs more than most files' tests.
    // So a test file restores what it changes of the process: environment, timers, listeners.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // Two more than cores: some tests wait for a local run's schedules or a browser and use no core meanwhile.
    maxWorkers: Math.max(2, availableParallelism()) + 2,
  },
});
