// When runs of edits are due: at once, then a minute and a bit apart, and never two for the same snapshots.
import { describe, expect, it } from 'vitest';
import {
  createPlanEdits,
  editRunMessage,
  nextEditsAt,
} from '#shared/delivery/episodes/plan-edits.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const second = 1_000;
const minute = 60_000;
const run = { eventId: 4711, kind: 'stats', from: now } as const;

describe('the next edits for a new snapshot', () => {
  it.each<[string, Parameters<typeof nextEditsAt>[0], number | undefined]>([
    ['of a feed without living messages are never', { editsDueAt: now - minute }, undefined],
    ['are at once for the first time', { livingMarks: 1 }, now],
    ['are at once a while after the last', { livingMarks: 1, editsDueAt: now - 2 * minute }, now],
    [
      'are 65 seconds after the last',
      { livingMarks: 1, editsDueAt: now - 10 * second },
      now + 55 * second,
    ],
    ['are those that are due later', { livingMarks: 1, editsDueAt: now + 30 * second }, undefined],
    [
      'are not those that may have begun by another clock',
      { livingMarks: 1, editsDueAt: now + second },
      now + 66 * second,
    ],
    [
      'are at once when the stored time is damaged',
      { livingMarks: 1, editsDueAt: now + 20 * minute },
      now,
    ],
  ])('%s', (_name, planned, at) => {
    expect(nextEditsAt(planned, now)).toBe(at);
  });
});

describe('a run of edits', () => {
  it.each([
    [now, 0],
    [now + 1, 1],
    [now + 90 * second, 90],
    [now + 60 * minute, 900],
    [now - minute, 0],
  ])('due at %i waits in the queue for %i seconds at most', (dueAt, delaySeconds) => {
    expect(editRunMessage(run, dueAt, now)).toEqual({
      ...{ body: { edits: run }, group: '4711', delaySeconds },
    });
  });
});

describe('a planned run', () => {
  /** The steps of a plan, and whether it was made. */
  async function plan(editsDueAt: number | undefined, dueAt: number, sends = async () => {}) {
    const steps: unknown[] = [];
    const planEdits = createPlanEdits({
      sendEdits: async (messages) => {
        steps.push(...messages.map(({ delaySeconds }) => ({ delaySeconds })));
        await sends();
      },
      recordPlan: async (_feed, at) => {
        steps.push({ recorded: at - now });
      },
    });
    const planned = { livingMarks: 1, ...(editsDueAt !== undefined && { editsDueAt }) };
    const made = await planEdits(run, planned, { dueAt, now }).catch(String);
    return [made, ...steps];
  }

  it('is in the queue before it is recorded, so a crash in between makes one too many', async () => {
    expect(await plan(undefined, now + minute)).toEqual([
      ...[true, { delaySeconds: 60 }, { recorded: minute }],
    ]);
    const fails = async () => Promise.reject(new Error('no queue'));
    expect(await plan(undefined, now, fails)).toEqual(['Error: no queue', { delaySeconds: 0 }]);
  });

  it('is not made when a later one sees the same', async () => {
    expect(await plan(now + 5 * second, now + minute)).toEqual([false]);
  });

  it('keeps its distance from the last, and is at most as late as the queue allows', async () => {
    expect(await plan(now - 5 * second, now)).toEqual([
      ...[true, { delaySeconds: 60 }, { recorded: minute }],
    ]);
    expect(await plan(undefined, now + 60 * minute)).toEqual([
      ...[true, { delaySeconds: 900 }, { recorded: 15 * minute }],
    ]);
  });
});
