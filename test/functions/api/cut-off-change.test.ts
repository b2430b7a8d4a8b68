// A change of a watch that is cut off after any write: reconcile finishes it.
import { describe, expect, it } from 'vitest';
import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { eventId, levelRule, startApi } from '#test/support/api.ts';

class Crash extends Error {}

const changes: [string, (id: string) => [string, string, unknown]][] = [
  [
    'rules',
    (id) => [`/v1/watches/${id}`, 'PATCH', { rules: [levelRule(70)], latency_seconds: 90 }],
  ],
  ['pause', (id) => [`/v1/watches/${id}/pause`, 'POST', undefined]],
  ['delete', (id) => [`/v1/watches/${id}`, 'DELETE', undefined]],
  ['restore', (id) => [`/v1/watches/${id}/restore`, 'POST', undefined]],
];

/** Crashes after the n-th write; `state` is what is left when reconcile has been by. */
async function run([path, method, body]: ReturnType<(typeof changes)[number][1]>, crashAt: number) {
  let writes = 0;
  let isArmed = false;
  const crashing = (stores: Stores): Stores =>
    wrap(stores, () => {
      if (!isArmed) return;
      writes += 1;
      if (writes === crashAt) throw new Crash();
    });
  const api = await startApi({}, crashing);
  const { body: made } = await api.call('/v1/watches', {
    body: { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId] },
  });
  if (path.endsWith('/restore')) {
    const headers = { 'if-match': '*' };
    await api.call(`/v1/watches/${made.id}`, { method: 'DELETE', headers });
  }
  isArmed = true;
  await api.call(path.replace('ID', made.id), { method, body, headers: { 'if-match': '*' } });
  isArmed = false;
  // What a client does whose request died.
  if (path.endsWith('/restore') && crashAt > 0)
    await api.call(path.replace('ID', made.id), { method });
  api.clock.now += 120_000;
  const applyWatchChange = createApplyWatchChange(api.stores);
  await createApplyWatchChanges({
    watches: api.stores.watches,
    applyWatchChange,
    recapBought: async () => {},
  })(api.clock.now);
  const watch = await api.stores.watches.find(made.id);
  const [triggerId] = watch?.rules[0]?.triggerIds ?? [];
  const state = {
    status: watch?.status ?? 'gone',
    isSettled: watch?.unsettled === undefined,
    trigger: triggerId && (await api.stores.triggers.find(triggerId))?.level,
    isParked: triggerId && (await api.stores.triggers.inspect(triggerId))?.isParked,
    subscriptions: (await api.stores.subscriptions.of({ eventId, kind: 'stats' })).map(
      (w) => w.latencySeconds,
    ),
    feed: (await api.stores.feeds.find(eventId, 'stats'))?.status,
  };
  await api.stop();
  return { writes, state };
}

type Call = (...args: unknown[]) => Promise<unknown>;
const writing = /^(change|settled|retire|remove|create|edit|park|add|end|claim|take|give|release)$/;

function wrap(stores: Stores, afterWrite: () => void): Stores {
  const names = ['watches', 'subscriptions', 'triggers', 'watchClaims', 'quotas'];
  const wrapped = Object.entries(stores).map(([name, store]) => {
    if (!names.includes(name)) return [name, store] as const;
    const methods = Object.entries(store as unknown as Record<string, Call>).map(
      ([method, call]) => [
        method,
        writing.test(method)
          ? async (...args: unknown[]) => {
              const answer = await call(...args);
              afterWrite();
              return answer;
            }
          : call,
      ],
    );
    return [name, Object.fromEntries(methods)] as const;
  });
  return Object.fromEntries(wrapped) as unknown as Stores;
}

describe('a change that is cut off', () => {
  it.each(changes)('%s: whatever write it was after, reconcile finishes it', async (_, change) => {
    const whole = await run(change('ID'), 0);
    expect(whole.writes).toBeGreaterThan(2);
    for (let write = 1; write <= whole.writes; write += 1) {
      const { state } = await run(change('ID'), write);
      expect(state, `after write ${write}`).toEqual(whole.state);
    }
  });
});
