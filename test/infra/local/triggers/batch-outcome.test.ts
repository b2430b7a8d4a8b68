import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideBatchOutcome } from '#infra/local/triggers/batch-outcome.ts';

const messageIds = ['a', 'b', 'c'];
const all = { done: messageIds, failed: [] };

function decide(payload: unknown, reportsItemFailures = true) {
  const outcome = { ok: true, payload } as const;
  return decideBatchOutcome({ outcome, messageIds, reportsItemFailures });
}

describe('an answer of a whole batch done', () => {
  it.each([
    ['null', null],
    ['an empty text', ''],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
    ['an object about something else', { statusCode: 200 }],
  ])('is %s', (_, payload) => {
    expect(decide(payload)).toEqual(all);
  });

  it('is any answer if the source does not report item failures', () => {
    expect(decide({ batchItemFailures: [{ itemIdentifier: 'a' }] }, false)).toEqual(all);
  });
});

describe('an answer of a whole batch failed', () => {
  it.each([
    ['no object', 'done'],
    ['a list', []],
    ['failures that are no list', { batchItemFailures: 'a' }],
    ['an unknown identifier', { batchItemFailures: [{ itemIdentifier: 'z' }] }],
    [
      'an unknown identifier beside a known one',
      { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'z' }] },
    ],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['a wrong key', { batchItemFailures: [{ identifier: 'a' }] }],
    ['a null item', { batchItemFailures: [null] }],
  ])('has %s', (_, payload) => {
    const decided = decide(payload);
    expect(decided).toMatchObject({ done: [], failed: messageIds });
    expect(decided.reason).toBeTruthy();
  });

  it('is a function error', () => {
    const error = { errorType: 'Error', errorMessage: 'boom', trace: [] };
    const answer = {
      outcome: { ok: false, error } as const,
      messageIds,
      reportsItemFailures: true,
    };
    expect(decideBatchOutcome(answer)).toEqual({ done: [], failed: messageIds, reason: 'boom' });
  });
});

it('splits a batch by the identifiers that failed', () => {
  fc.assert(
    fc.property(fc.subarray(messageIds), (failed) => {
      const decided = decide({ batchItemFailures: failed.map((id) => ({ itemIdentifier: id })) });
      expect(decided.failed).toEqual(failed);
      expect([...decided.done, ...decided.failed].sort()).toEqual(messageIds);
    }),
  );
});
