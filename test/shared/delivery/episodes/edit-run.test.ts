// One run of edits over many messages: its pages, its channels, its time, and what it leaves to later runs.
import { describe, expect, it } from 'vitest';
import type { EditResult, WantedEdit } from '#shared/delivery/episodes/edit-message.ts';
import { createRunEdits } from '#shared/delivery/episodes/edit-run.ts';
import type {
  EditRun,
  EditRunMessage,
  LivingMessage,
} from '#shared/delivery/episodes/living-message.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import type { OutgoingMessage } from '#shared/lambda/queue-sender.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';
import { aLivingMessage } from '#test/support/living-messages.ts';
import { statsAt } from '#test/support/played-rule.ts';
import { triggerOf } from '#test/support/triggers.ts';

const start = firedAt + 600_000;
const second = 1_000;
const minute = 60_000;
const run: EditRun = { eventId: 4711, kind: 'stats', from: start };
const edited: EditResult = { kind: 'edited' };
const level = { type: 'level', metric: 'get_in', at_or_below: 80 } as const;

interface Given {
  messages?: LivingMessage[];
  run?: Partial<EditRun>;
  /** How long an edit takes. */
  editMs?: number;
  edit?: (wanted: WantedEdit) => EditResult;
  findAlert?: (alertId: string) => Promise<ReturnType<typeof anAlert> | undefined>;
  remainingMs?: number;
  marks?: number | undefined;
}

/** Messages of a fired rule whose price has fallen to $70 since. */
function living(count: number, changes: (index: number) => Partial<LivingMessage> = () => ({})) {
  return Array.from({ length: count }, (_, index) => {
    const alert = { series: 'stats/get_in', triggerId: 'trg_1', alertId: 'alt_1_1' };
    return aLivingMessage({ alert, channelId: `ch_${index}`, ...changes(index) });
  });
}

async function runOver(given: Given = {}) {
  const { messages = living(1), editMs = 0, edit = () => edited, remainingMs = 60_000 } = given;
  const clock = { now: start };
  const edits: { channelId: string; at: number }[] = [];
  const sent: (OutgoingMessage & { edits: EditRun })[] = [];
  const unmarked: number[] = [];
  const pageSize = 100;
  const sendEdits = async (found: readonly OutgoingMessage[]) => {
    sent.push(...found.map((each) => ({ ...each, ...(each.body as EditRunMessage) })));
  };
  const runEdits = createRunEdits({
    livingMessages: {
      discard: async () => {},
      list: async (_feed, { after, limit }) => {
        const from = after === undefined ? 0 : Number(after);
        const end = Math.min(from + limit, from + pageSize);
        const next = end < messages.length ? { next: String(end) } : {};
        return { messages: messages.slice(from, end), unreadable: [], ...next };
      },
      unmark: async (_feed, marks) => unmarked.push(marks) > 0,
    },
    findEvaluation: async () => ({
      ...{ eventId: 4711, kind: 'stats', nudges: 1 },
      ...('marks' in given ? {} : { livingMarks: 7 }),
    }),
    snapshots: {
      after: async () => [{ ...statsAt(0, 70), observedAt: start }],
      latest: async () => [],
    },
    findTrigger: async (triggerId) => {
      const trigger = { ...triggerOf(level, 0), state: 'fired', generation: 1 } as const;
      return triggerId === 'trg_odd' ? { ...trigger, series: 'odd' } : trigger;
    },
    findAlert: given.findAlert ?? (async (alertId) => anAlert({ alertId, series: 'stats/get_in' })),
    findEventFacts: async () => undefined,
    editMessage: async (wanted) => {
      edits.push({ channelId: wanted.message.channelId, at: clock.now - start });
      clock.now += editMs;
      return edit(wanted);
    },
    sendEdits,
    planEdits: async (planned, _evaluation, { dueAt, now }) => {
      await sendEdits([
        { body: { edits: planned }, group: '', delaySeconds: Math.round((dueAt - now) / second) },
      ]);
      return true;
    },
    wait: async (ms) => {
      clock.now += ms;
    },
  });
  const result = await runEdits(
    { ...run, ...given.run },
    { now: () => clock.now, remainingMs: () => remainingMs },
  );
  const planned = sent.map(({ edits: { after, tries }, delaySeconds = 0 }) => ({
    ...{
      delaySeconds,
      ...(after !== undefined && { after }),
      ...(tries !== undefined && { tries }),
    },
  }));
  return { result, edits, planned, unmarked };
}

describe('a run of edits', () => {
  it('takes a hundred messages, and the next run the rest', async () => {
    const messages = living(130);
    const first = await runOver({ messages });
    expect([first.result.edited, first.planned]).toEqual([
      100,
      [{ delaySeconds: 0, after: '100' }],
    ]);
    const second = await runOver({ messages, run: { after: '100' } });
    expect([second.result.edited, second.planned]).toEqual([30, []]);
  });

  it('leaves a second between the messages of one channel, and edits other channels meanwhile', async () => {
    const { edits } = await runOver({
      messages: living(4, (index) => ({
        channelId: index < 3 ? 'ch_a' : 'ch_b',
        triggerId: `trg_${index}`,
      })),
    });
    const timesOf = (wanted: string) =>
      edits.filter(({ channelId }) => channelId === wanted).map(({ at }) => at);
    expect(
      timesOf('ch_a')
        .slice(1)
        .map((at, index) => at - (timesOf('ch_a')[index] ?? 0)),
    ).toEqual([...[second, second]]);
    expect(timesOf('ch_b')).toEqual([0]);
  });

  it('edits nothing that shows the present state already', async () => {
    const shows = { kind: 'new_low', value: 7_000, at: start } as const;
    const { result, edits } = await runOver({ messages: living(2, () => ({ shows })) });
    expect([edits, result]).toMatchObject([[], { living: 2, edited: 0, removed: 0 }]);
  });

  it('leaves the rest of a channel to a later run when the channel takes no more', async () => {
    const until = start + 2 * minute;
    const { result, edits, planned } = await runOver({
      messages: living(3, (index) => ({ channelId: 'ch_a', triggerId: `trg_${index}` })),
      edit: () => ({ kind: 'failed', reason: 'http_502', until }),
    });
    expect(edits).toHaveLength(1);
    expect(result).toMatchObject({ failed: 1, deferred: 2, reasons: ['http_502'] });
    expect(planned).toEqual([{ delaySeconds: 120, tries: 1 }]);
  });

  it('comes back to the others when it gives one message up', async () => {
    const { planned } = await runOver({
      messages: living(2, (index) => ({ channelId: 'ch_a', triggerId: `trg_${index}` })),
      edit: () => ({ kind: 'failed', reason: 'http_502' }),
    });
    expect(planned).toEqual([{ delaySeconds: 60, tries: 1 }]);
  });

  it('goes on with a channel after a message that was edited just now', async () => {
    const wait = { kind: 'deferred', reason: 'edited_just_now', until: start + minute } as const;
    const { edits, planned } = await runOver({
      messages: living(2, (index) => ({ channelId: 'ch_a', triggerId: `trg_${index}` })),
      edit: ({ message }) => (message.triggerId === 'trg_0' ? wait : edited),
    });
    expect(edits).toHaveLength(2);
    expect(planned).toEqual([{ delaySeconds: 60, tries: 1 }]);
  });

  it.each([
    ['after 15 seconds', { editMs: 6 * second }, 3],
    ['when its invocation has little time left', { remainingMs: 14 * second }, 0],
  ])('leaves what is left to the next run %s', async (_when, given, made) => {
    const { edits, result, planned } = await runOver({
      messages: living(9, (index) => ({ channelId: 'ch_a', triggerId: `trg_${index}` })),
      ...given,
    });
    expect(edits).toHaveLength(made);
    expect(result.deferred).toBe(9 - made);
    expect(planned).toEqual([{ delaySeconds: 5, tries: 1 }]);
  });

  it('gives up after five runs in a row that edited nothing; the next snapshot asks again', async () => {
    const edit = () =>
      ({ kind: 'deferred', reason: 'breaker_open', until: start + minute }) as const;
    const planned = async (tries: number) => (await runOver({ edit, run: { tries } })).planned;
    expect(await planned(4)).toEqual([{ delaySeconds: 60, tries: 5 }]);
    expect(await planned(5)).toEqual([]);
  });

  it('takes the mark of its feed when it has removed every message', async () => {
    const edit = (): EditResult => ({ kind: 'removed' });
    expect((await runOver({ messages: living(2), edit })).unmarked).toEqual([7]);
    expect((await runOver({ messages: [] })).unmarked).toEqual([7]);
    expect((await runOver({ messages: living(2) })).unmarked).toEqual([]);
    expect((await runOver({ messages: living(130), edit })).unmarked).toEqual([]);
  });

  it('asks about no other watch than the one that was changed', async () => {
    const messages = living(2, (index) => ({ watchId: `wat_${index}` }));
    const { edits } = await runOver({ messages, run: { watchId: 'wat_1' } });
    expect(edits.map(({ channelId }) => channelId)).toEqual(['ch_1']);
  });

  it('is not stopped by an alert that can’t be judged', async () => {
    const faults: FaultReport[] = [];
    const restore = listenForFaults((fault) => faults.push(fault));
    const wanted: unknown[] = [];
    await runOver({
      messages: living(2, (index) =>
        index === 0 ? { alertId: 'alt_0_1', triggerId: 'trg_odd' } : {},
      ),
      findAlert: async (alertId) =>
        anAlert({ alertId, series: alertId === 'alt_0_1' ? 'odd' : 'stats/get_in' }),
      edit: ({ state }) => {
        wanted.push(state?.kind);
        return edited;
      },
    });
    restore();
    expect(wanted).toEqual([undefined, 'new_low']);
    expect(faults).toMatchObject([{ thing: 'living_message', ids: { alertId: 'alt_0_1' } }]);
  });
});
