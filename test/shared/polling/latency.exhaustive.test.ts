import { expect, it } from 'vitest';
import { expectLatencyKept } from '#test/support/kept-latency.ts';

it('the wished latency is kept whatever the rhythm was until now', async () => {
  expect(await expectLatencyKept(50)).toBeGreaterThan(900);
});
