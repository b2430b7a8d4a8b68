// Watches on an event whose triggers are in several shards: where they are, and which evaluation they nudge.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import {
  type Api,
  anyVersion,
  eventId,
  levelRule,
  startApi,
  watchBody,
} from '#test/support/api.ts';

let api: Api;
/** Whether the next watch is stored by a request that dies then. */
let isCutOff = false;

const interrupted = (stores: Stores): Stores => ({
  ...stores,
  watches: {
    ...stores.watches,
    async create(watch) {
      const isNew = await stores.watches.create(watch);
      if (!isCutOff) return isNew;
      isCutOff = false;
      throw new Error('the process is gone');
    },
  },
});

beforeEach(async () => {
  isCutOff = false;
  api = await startApi({}, interrupted);
  await api.stores.triggers.place(eventId, 1_500);
  return () => api.stop();
});

const make = (headers: Record<string, string> = {}) =>
  api.call('/v1/watches', { body: watchBody(api, { rules: [levelRule(80)] }), headers });
const nudgeOf = (shard: number) => ({ eventId, kind: 'stats', shard });
const shardsOf = async (watchId: string) => {
  const watch = await api.stores.watches.find(watchId);
  const ids = watch?.rules.flatMap(({ triggerIds }) => triggerIds) ?? [];
  const triggers = await Promise.all(ids.map((id) => api.stores.triggers.find(id)));
  return [watch?.shard, ...triggers.map((trigger) => trigger?.shard)];
};

describe('a watch in another shard than the first', () => {
  it('nudges its own evaluation when it is made and when it is changed', async () => {
    const { body } = await make();
    expect(await shardsOf(body.id)).toEqual([1, 1]);
    expect(body).not.toHaveProperty('shard');

    const rules = [levelRule(80), levelRule(70)];
    await api.call(`/v1/watches/${body.id}`, {
      ...{ method: 'PATCH', body: { rules }, headers: anyVersion },
    });
    expect(api.nudges).toEqual([nudgeOf(1), nudgeOf(1)]);
  });

  it('keeps its shard, with the triggers of rules that it gets later and of edited ones', async () => {
    const { body } = await make();
    await api.stores.triggers.place(eventId, 5_000);
    const [{ id }] = body.rules;
    await api.call(`/v1/watches/${body.id}`, {
      method: 'PATCH',
      body: { rules: [{ id, rule: levelRule(60) }, levelRule(70)] },
      headers: anyVersion,
    });

    expect(await shardsOf(body.id)).toEqual([1, 1, 1]);
  });

  it('nudges the same evaluation when the request that made it died and is tried again', async () => {
    isCutOff = true;
    expect((await make({ 'idempotency-key': 'once' })).status).toBe(500);
    await api.stores.triggers.place(eventId, 5_000);
    api.clock.now += 60_000;
    const { status, body } = await make({ 'idempotency-key': 'once' });

    expect(status).toBe(201);
    expect(await shardsOf(body.id)).toEqual([1, 1]);
    expect(api.nudges).toEqual([nudgeOf(1)]);
  });
});
