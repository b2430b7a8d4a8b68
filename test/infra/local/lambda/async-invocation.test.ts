import { expect, it } from 'vitest';
import { invokeAsync } from '#infra/local/lambda/async-invocation.ts';
import type { LocalFunction } from '#infra/local/lambda/local-function.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const error = { errorType: 'Error', errorMessage: 'not today', trace: [] };

/**
 * Invokes a function that fails a given number of times; returns the attempts' times and the
 * record.
 */
async function run({ failures, maxEventAgeMs }: { failures: number; maxEventAgeMs: number }) {
  const clock = new FakeClock('2026-11-27T10:00:00Z');
  const startedAt = clock.now();
  const attempts: number[] = [];
  const records: string[] = [];
  const target = {
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:Dispatch',
    invoke: async () => {
      attempts.push(clock.now() - startedAt);
      return attempts.length > failures ? { ok: true, payload: null } : { ok: false, error };
    },
  } as Pick<LocalFunction, 'arn' | 'invoke'> as LocalFunction;
  const config = {
    retryAttempts: 2,
    maxEventAgeMs,
    sendFailure: async (record: string) => void records.push(record),
  };
  const done = invokeAsync({ target, event: { slot: 1 }, config, clock, timeScale: 0.5 });
  for (let minute = 0; minute < 5; minute += 1) await clock.advance(60_000);
  await done;
  return { attempts, record: JSON.parse(records[0] ?? 'null') };
}

it('is retried after one minute, then after two, by the scaled clock', async () => {
  const { attempts, record } = await run({ failures: 2, maxEventAgeMs: 600_000 });
  expect(attempts).toEqual([0, 30_000, 90_000]);
  expect(record).toBeNull();
});

it('is sent to the failure destination when its retries are used up', async () => {
  const { attempts, record } = await run({ failures: 3, maxEventAgeMs: 600_000 });
  expect(attempts).toHaveLength(3);
  expect(record).toMatchObject({
    timestamp: '2026-11-27T10:01:30.000Z',
    requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
    requestPayload: { slot: 1 },
    responsePayload: error,
  });
});

it('is dropped and sent to the failure destination when it is too old to retry', async () => {
  const { attempts, record } = await run({ failures: 3, maxEventAgeMs: 45_000 });
  expect(attempts).toEqual([0, 30_000]);
  expect(record).toMatchObject({
    requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 2 },
  });
  expect(record).not.toHaveProperty('responsePayload');
});
