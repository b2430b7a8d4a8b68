// The deletion of an owner leaves nothing of it, and everything of others, whenever it dies.
import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBeginJob } from '#functions/api/jobs/begin-job.ts';
import { createBeginDeletion } from '#functions/api/owner/begin-deletion.ts';
import { composeEvaluate } from '#functions/evaluate/compose-evaluate.ts';
import { createResumeJobs } from '#functions/reconcile/resume-jobs.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { ownerData } from '#shared/watchlist/owner-data.ts';
import { type Api, adminKey, createKey, eventId, startApi, statsAt } from '#test/support/api.ts';
import { drainJobs } from '#test/support/jobs.ts';
import { everyItem, makeWholeOwner, textOf, type WholeOwner } from '#test/support/whole-owner.ts';

let api: Api;
const minuteMs = 60_000;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

let made = 0;
const anOwner = (watches = 3) => {
  made += 1;
  return makeWholeOwner(api, `annabel${String.fromCodePoint(96 + made)}`, watches);
};

const remove = ({ key }: { key: string }, confirm: string) =>
  api.call('/v1/owner', { method: 'DELETE', key, body: { confirm } });
const progress = async (id: string) => (await api.call(`/v1/deletions/${id}`, { key: '' })).body;

/** What the table keeps for more than the documented day and a window. */
async function kept(): Promise<RawItem[]> {
  const until = api.clock.now / 1_000 + 2 * 86_400;
  return (await everyItem(api)).filter(
    ({ entity, expiresAtEpochSeconds }) =>
      !(staying(String(entity)) && Number(expiresAtEpochSeconds) <= until),
  );
}

const staying = (kind: string) => typeof ownerData[kind]?.deleted === 'object';

async function namesLeft({ names }: WholeOwner): Promise<string[]> {
  const text = textOf(await kept());
  return names.filter((name) => text.includes(name));
}

/** Runs what is due; a message that is to wait is left to reconcile. */
const run = () =>
  drainJobs(api, {
    sendJobs: async (messages) => {
      const due = messages.filter(({ delaySeconds = 0 }) => delaySeconds === 0);
      api.jobs.push(...due.map(({ body }) => body as { jobId: string }));
    },
  });

/** Runs the job to its end, with the waits in between. */
async function finish(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await run();
    api.clock.now += 6 * minuteMs;
    await createResumeJobs(api.stores.jobs, async (messages) => {
      api.jobs.push(...messages.map(({ body }) => body as { jobId: string }));
    })(api.clock.now);
  }
}

describe('the request', () => {
  it('needs the owner’s name or id, and says so', async () => {
    const ann = await anOwner(1);
    const { status, body } = await remove(ann, 'someone');
    expect([status, body.errors[0].pointer]).toEqual([400, '#/confirm']);
    expect(body.detail).toContain(ann.ownerId);
    expect((await api.call('/v1/owner', { method: 'DELETE', key: ann.key })).status).toBe(400);
    const key = await createKey(api, ann.ownerId, 'read');
    expect((await remove({ key }, ann.ownerId)).status).toBe(403);
    expect((await api.call('/v1/owner', { key: ann.key })).status).toBe(200);
  });

  it('ends every key at once, and each says where the progress is', async () => {
    const ann = await anOwner(1);
    const second = await createKey(api, ann.ownerId, 'write');
    const { status, body, headers } = await remove(ann, ann.ownerId);
    expect([status, headers.get('location')]).toEqual([202, `/v1/deletions/${body.id}`]);
    for (const key of [ann.key, second]) {
      const answer = await api.call('/v1/watches', { key });
      expect(answer.status).toBe(401);
      expect(answer.body.detail).toContain(`GET /v1/deletions/${body.id}`);
    }
    expect((await progress(body.id)).state).toBe('queued');
    const another = { owner_id: ann.ownerId, name: 'late', scope: 'read' };
    expect((await api.call('/v1/keys', { key: adminKey, body: another })).status).toBe(404);
    await finish();
  });

  it('of two at once begins one deletion', async () => {
    const ann = await anOwner(1);
    const answers = await Promise.all([remove(ann, ann.ownerId), remove(ann, ann.ownerId)]);
    const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
    await finish();
    expect((await progress(ids[0])).state).toBe('done');
    expect(await namesLeft(ann)).toEqual([]);
  });

  it('that dies after it has stored its job is carried out', async () => {
    const ann = await anOwner(1);
    const { stores } = api;
    const begin = createBeginDeletion({
      stores: {
        access: {
          ...stores.access,
          beginDeletion: () => Promise.reject(new Error('died')),
        },
      },
      beginJob: createBeginJob({ stores, sendJobs: async () => {} }),
      revokeKeys: async () => {},
    });
    const id = `del_${'7'.repeat(32)}`;
    await expect(begin(ann.ownerId, id, api.clock.now)).rejects.toThrow('died');
    await finish();
    await finish();
    expect((await progress(id)).state).toBe('done');
    expect(await namesLeft(ann)).toEqual([]);
  });
});

describe('a deletion', () => {
  it('leaves nothing of its owner in any table, and all of another on the same event', async () => {
    const bob = await makeWholeOwner(api, 'robert', 2);
    const own = (items: RawItem[]) =>
      textOf(items.filter((item) => bob.names.some((name) => textOf([item]).includes(name))));
    const before = own(await kept());
    const ann = await anOwner();
    expect(await namesLeft(ann)).toContain(ann.ownerId);
    const { body } = await remove(ann, ann.ownerId);
    await finish();

    const done = await progress(body.id);
    expect(done).toMatchObject({ state: 'done', deleted: { watch: 3, alert: 1, channel: 2 } });
    expect(await namesLeft(ann)).toEqual([]);
    expect(textOf(api.jobs) + textOf(api.deliveries) + textOf(api.nudges)).not.toContain(
      ann.ownerId,
    );
    expect((await api.call('/v1/watches', { key: ann.key })).body.detail).toBe(
      'This API key is not known',
    );
    const withoutShares = (text: string) => text.replaceAll(/"(own_\w+)":0\.5,?/g, '');
    expect(withoutShares(own(await kept()))).toContain(bob.ownerId);
    expect(own((await kept()).filter(({ entity }) => entity === 'watch'))).toBe(
      own(JSON.parse(before).filter(({ entity }: RawItem) => entity === 'watch')),
    );
    const { subscriptions, feeds } = api.stores;
    const live = await subscriptions.of({ eventId, kind: 'stats' });
    expect(live.map(({ ownerId }) => ownerId)).not.toContain(ann.ownerId);
    expect(live.filter(({ ownerId }) => ownerId === bob.ownerId)).toHaveLength(2);
    expect((await feeds.find(eventId, 'stats'))?.status).toBe('active');

    const raised = await alertsAfter(14, 9);
    expect(raised.filter(({ ownerId }) => ownerId === bob.ownerId)).toHaveLength(2);
    expect(raised.filter(({ ownerId }) => ownerId === ann.ownerId)).toEqual([]);
  });

  it('goes on after it has died at any write of any lot, and leaves nothing', async () => {
    const ann = await anOwner(2);
    const { body } = await remove(ann, ann.ownerId);
    const fault = dieAtWrites();
    onTestFinished(fault.end);
    const lots = async () => (await api.stores.jobs.find(body.id))?.lots;
    let deaths = 0;
    for (let writes = 0; (await progress(body.id)).state !== 'done'; ) {
      const before = await lots();
      fault.allow(writes);
      api.jobs.push({ jobId: body.id });
      await run().catch((error: unknown) => {
        if (!(error instanceof Died)) throw error;
        deaths += 1;
      });
      // The next lot dies before its first write, then after each of them.
      writes = (await lots()) === before ? writes + 1 : 0;
      api.jobs.splice(0);
      api.clock.now += 3 * minuteMs;
      await forgetIdleRuns(body.id);
      expect((await progress(body.id)).state).not.toBe('failed');
    }
    expect(deaths).toBeGreaterThan(25);
    expect(await namesLeft(ann)).toEqual([]);
  });
});

/** The alerts that get-ins raise, one after another, in dollars. */
async function alertsAfter(...prices: number[]): Promise<Alert[]> {
  const raised: Alert[] = [];
  const nowhere = async () => {};
  const evaluate = composeEvaluate({
    stores: api.stores,
    senders: sendersByKind({ email: nowhere, webhook: nowhere }),
    sendNudges: nowhere,
    release: 'test',
    now: () => api.clock.now,
    onRaised: (alert) => raised.push(alert),
  });
  for (const getIn of prices) {
    api.clock.now += minuteMs;
    await api.stores.snapshots.createAll([statsAt(api.clock.now, getIn)], api.clock.now);
    const clock = { now: () => api.clock.now, remainingMs: () => minuteMs };
    await evaluate({ eventId, kind: 'stats' }, `lease ${getIn}`, clock);
  }
  return raised;
}

/** A job that dies ten times in one lot is given up; this test goes beyond that. */
function forgetIdleRuns(jobId: string) {
  return api.client.send(
    new UpdateCommand({
      TableName: api.names.WATCHLIST_TABLE,
      Key: { pk: `JOB#${jobId}`, sk: 'JOB' },
      UpdateExpression: 'SET idleRuns = :none',
      ExpressionAttributeValues: { ':none': 0 },
    }),
  );
}

class Died extends Error {
  override readonly name = 'TimeoutError';
}

/** Lets every write after some fail, but for those of the job itself. */
function dieAtWrites() {
  let left = Number.POSITIVE_INFINITY;
  const name = `die at writes ${randomUUID()}`;
  api.client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as { Item?: RawItem; Key?: RawItem };
      const pk = String(input.Item?.pk ?? input.Key?.pk ?? '');
      if (!isWrite(args.input) || pk.startsWith('JOB#del_')) return next(args);
      left -= 1;
      if (left < 0) throw new Died('died');
      return next(args);
    },
    { step: 'initialize', name },
  );
  return {
    allow: (writes: number) => {
      left = writes;
    },
    end: () => {
      api.client.middlewareStack.remove(name);
    },
  };
}

/** A deletion has a key and nothing that a read has. */
function isWrite(input: object): boolean {
  if ('Item' in input || 'UpdateExpression' in input) return true;
  return 'Key' in input && !('ConsistentRead' in input);
}
