// Stands for Vitest in tests that run outside of it: it declares tests by test-suite.ts and matches by
// Vitest's own matchers, which look for the state of a worker before they load.
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
