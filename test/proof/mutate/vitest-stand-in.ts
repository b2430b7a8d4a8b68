// Replaces Vitest in tests that run outside of it: declares tests through test-suite.ts and uses
// Vitest's own matchers, which need a worker's state before they load.
Object.assign(globalThis, {
  __vitest_worker__: { config: { expect: {} }, environment: { name: 'node' } },
});
const { createExpect, vi } = await import('vitest');

export const expect = createExpect();
export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
} from './test-suite.ts';
export { vi };
