// A press on an alert's page that is cut off after any write, by a crash; then the same form is sent again. In the end
// everything is as after one press.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import {
  alertedWatch,
  formOf,
  openPage,
  postForm,
  press,
  type SeenPage,
  watchOf,
} from '#test/support/alert-pages.ts';
import { type Api, levelRule, startApi } from '#test/support/api.ts';
import { aChannel } from '#test/support/delivering.ts';
import { reportWrites } from '#test/support/report-writes.ts';

class Crash extends Error {
  override readonly name = 'AbortError';
}

let api: Api;
/** Counts the writes of a press, and crashes after one of them. */
let pressed: { writes: string[]; crashAt: number } | undefined;

beforeAll(async () => {
  const limits = { requestLimit: { requests: 1_000_000, windowSeconds: 60 } };
  api = await startApi(limits, (stores) =>
    reportWrites(stores, (step) => {
      if (!pressed) return;
      pressed.writes.push(step);
      if (pressed.writes.length === pressed.crashAt) throw new Crash(step);
    }),
  );
  // Its owner's notices come here.
  const { ownerId } = api.ann;
  await api.stores.channels.create(
    aChannel({ ownerId, target: { kind: 'email', address: 'other@example.com' } }),
  );
});
afterAll(() => api.stop());

/** Each act with the press that has to come before it. */
const acts: [act: string, before?: string][] = [
  ['bought'],
  ['undo_bought', 'bought'],
  ['new_low'],
  ['level'],
  ['undo_rule', 'level'],
  ['snooze'],
  ['stop_watch'],
  ['resume_watch', 'stop_watch'],
  ['stop_all'],
  ['resume_all', 'stop_all'],
];

/** What the act has done to the watch, its triggers, its history, the channel, and what went to queues for it. */
async function stateOf(watchId: string, trigger: string) {
  const { stores, ann } = api;
  const watch = await watchOf(api, watchId);
  const channel = await stores.channels.find(ann.channelId);
  const { data } = (await api.call(`/v1/watches/${watchId}/versions`)).body;
  const { eventId } = watch;
  const queued = new Set(api.deliveries.map((body) => JSON.stringify(body)));
  return {
    status: watch.status,
    isBought: watch.bought !== undefined,
    rules: watch.rules.map(({ rule }) => rule),
    isSettled: watch.unsettled === undefined,
    words: data.map(({ words }: { words: string }) => words),
    level: (await stores.triggers.find(trigger))?.level,
    feeds: (await stores.subscriptions.of({ eventId, kind: 'stats' })).length,
    channel: channel?.status,
    silentUntil: channel?.watchesSilentUntil[watchId] ?? 0,
    edits: [...queued].filter((body) => body.includes('"edits"')).length,
    notices: [...queued].filter((body) => body.includes('"deliveryId"')).length,
  };
}

/** Presses once; with `crashAt` the press is cut off after that write, and its form is sent again, twice. */
async function run([act, before]: (typeof acts)[number], crashAt: number) {
  const { stores, ann } = api;
  await stores.channels.changeStatus(ann.channelId, ['unsubscribed'], { status: 'active' });
  const { page, watchId, eventId } = await alertedWatch(api, { rule: levelRule(120) });
  await stores.evaluations.nudge({ eventId, kind: 'stats' });
  await stores.livingMessages.mark({ eventId, kind: 'stats' });
  const [trigger = ''] = (await watchOf(api, watchId)).rules[0]?.triggerIds ?? [];
  if (before !== undefined) await press(api, page, before);
  const { fields } = formOf(await openPage(api, page), act);
  api.deliveries.length = 0;

  pressed = { writes: [], crashAt };
  const first = await postForm(api, page, fields).catch(() => undefined);
  const { writes } = pressed;
  pressed = undefined;
  const again: SeenPage[] = [];
  if (crashAt > 0) again.push(await postForm(api, page, fields), await postForm(api, page, fields));
  const { now } = api.clock;
  await createApplyWatchChanges({
    watches: stores.watches,
    applyWatchChange: createApplyWatchChange(stores),
    recapBought: async () => {},
  })(now + 120_000);
  return { first, again, writes, state: await stateOf(watchId, trigger) };
}

/** Some of the writes, with their places: the change of the watch, and others; the counts of quotas change nothing. */
function cutsOf(writes: readonly string[]): [write: string, index: number][] {
  const all = writes.map((write, index): [string, number] => [write, index]);
  const changes = all.filter(([write]) => write === 'watches.change');
  const own = all.filter(([write]) => !/^(quotas\.|watches\.change$)/.test(write));
  const count = Math.min(2, own.length);
  const cuts = fc.shuffledSubarray(own, { minLength: count, maxLength: count });
  return [...changes, ...(fc.sample(cuts, { seed: 21, numRuns: 1 })[0] ?? [])];
}

describe.each(acts)('“%s”', (...act) => {
  it('is carried out once, whatever write it was cut off after', async () => {
    const whole = await run(act, 0);
    expect(whole.first?.status).toBe(200);
    expect(whole.writes.length).toBeGreaterThan(0);
    for (const [write, index] of cutsOf(whole.writes)) {
      const { again, state } = await run(act, index + 1);
      expect(
        again.map(({ status }) => status),
        `after ${write}`,
      ).toEqual([200, 200]);
      expect(again[0]?.text, `after ${write}`).toContain('Done ');
      expect(state, `after ${write}`).toEqual(whole.state);
    }
  });
});
