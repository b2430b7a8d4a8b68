// An import whose worker is killed between two requests: the next run goes on, and the owner sees the same watches and
// the same results as without the kill.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBeginJob } from '#functions/api/jobs/begin-job.ts';
import { resultPage } from '#functions/api/jobs/job-results.ts';
import { createApplyWatchChanges } from '#functions/reconcile/apply-watch-changes.ts';
import { createResumeJobs } from '#functions/reconcile/resume-jobs.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { type Api, levelRule, startApi, startMs, statsAt } from './api.ts';
import { drainJobs, jobDepsOf } from './jobs.ts';

/** A kill ends the process, so nothing may take it for a fault of a row. */
class Killed extends Error {
  override readonly name = 'AbortError';
}

let api: Api;
let file = 0;
/** The requests that the worker may still make before it is killed. */
let requestsLeft = Number.POSITIVE_INFINITY;
let requests = 0;

async function openApi(): Promise<void> {
  api = await startApi({ requestLimit: { requests: 1e9, windowSeconds: 60 } });
  api.client.middlewareStack.add(
    (next) => async (args) => {
      spend();
      return next(args);
    },
    { step: 'initialize', name: 'kill' },
  );
}

function spend(): void {
  requests += 1;
  requestsLeft -= 1;
  if (requestsLeft < 0) throw new Killed('killed');
}

/** A job of two lots: new watches, a change, a repeated row, a row that is refused, and an unchanged watch. */
async function begin() {
  file += 1;
  const first = 100 * file;
  const [changed, same] = await Promise.all([makeWatch(first), makeWatch(first + 1)]);
  const snapshot = statsAt(startMs, 100, { Court: 90 });
  await api.stores.snapshots.createAll([{ ...snapshot, eventId: first + 5 }], startMs);
  const row = (line: number, eventId: number, also: object = {}) => ({
    ...{ line, empty: [], form: 'csv' },
    fields: { event_id: eventId, rules: [levelRule(80)], channels: [api.ann.channelId] },
    ...also,
  });
  const to = (level: number) => ({ rules: [levelRule(level)] });
  const lots = [
    [row(2, first + 2), row(3, 0, { id: changed, fields: to(70) }), row(4, first + 3)],
    [
      ...[row(5, first + 2), row(6, 0, { id: same, fields: to(80) }), row(7, first + 4)],
      row(8, first + 5, {
        fields: { event_id: first + 5, rules: [{ ...levelRule(80), zone: 'Moon' }] },
      }),
    ],
  ];
  const jobId = `job_${String(file).padStart(32, '0')}`;
  const { stores } = api;
  const { sendJobs } = jobDepsOf(api);
  await createBeginJob({ stores, sendJobs })({
    ...{ jobId, ownerId: api.ann.ownerId, kind: 'import', lots, now: api.clock.now },
  });
  return { jobId, first };
}

async function makeWatch(event: number): Promise<string> {
  const body = { event_id: event, rules: [levelRule(80)], channels: [api.ann.channelId] };
  return (await api.call('/v1/watches', { body })).body.id;
}

/** What the cloud does by itself after a kill: leases run out, and reconcile enqueues the job again. */
async function recover(): Promise<void> {
  api.jobs.length = 0;
  api.clock.now += 2 * 90_000;
  const { sendJobs } = jobDepsOf(api);
  await createResumeJobs(api.stores.jobs, sendJobs)(api.clock.now);
  await drainJobs(api);
  const applyWatchChange = createApplyWatchChange(api.stores);
  await createApplyWatchChanges({
    ...api.stores,
    applyWatchChange,
    recapBought: async () => {},
  })(api.clock.now);
}

/** Imports a file whose worker is killed before request number `killAt`; answers with what the owner sees. */
async function importKilled(killAt: number) {
  const { jobId, first } = await begin();
  requests = 0;
  requestsLeft = killAt;
  const isKilled = await drainJobs(api).then(
    () => false,
    (error) => error instanceof Killed,
  );
  const made = requests;
  requestsLeft = Number.POSITIVE_INFINITY;
  if (isKilled) await recover();
  const job = await api.stores.jobs.find(jobId);
  if (!job) throw new Error('the job is gone');
  const { rows } = await resultPage(api.stores.jobs, job, { limit: 100 });
  const all = await api.stores.watches.listAll(api.ann.ownerId);
  const own = all.filter(({ eventId }) => eventId >= first && eventId < first + 100).reverse();
  const { state, done, counts } = job;
  return {
    ...{ made, isKilled, ids: own.map(({ watchId }) => watchId), rows },
    seen: {
      ...{ state, done, counts },
      results: rows.map(({ line, outcome, detail }) => [line, outcome, detail]),
      watches: own.map(({ eventId, rules }) => [eventId - first, rules[0]?.rule]),
      triggers: await armed(own.flatMap(({ rules }) => rules.flatMap((rule) => rule.triggerIds))),
    },
  };
}

async function armed(triggerIds: readonly string[]): Promise<unknown[]> {
  const found = await Promise.all(triggerIds.map((id) => api.stores.triggers.find(id)));
  return found.map((trigger) => [trigger?.state, trigger?.level]);
}

/** Kills the worker before each request, or before every nth (`step`) one. */
export function describeKills(step: number): void {
  describe('a worker that is killed before a request', () => suite(step));
}

function suite(step: number): void {
  beforeAll(openApi);
  afterAll(() => api.stop());
  let undisturbed: Awaited<ReturnType<typeof importKilled>>;
  const outcomes: Awaited<ReturnType<typeof importKilled>>[] = [];

  beforeAll(async () => {
    undisturbed = await importKilled(Number.POSITIVE_INFINITY);
    for (let killAt = 0; killAt < undisturbed.made; killAt += step) {
      outcomes.push(await importKilled(killAt));
    }
  }, 120_000);

  it('has an undisturbed run to compare with', () => {
    expect(undisturbed.seen).toMatchObject({
      ...{ state: 'done', done: 7 },
      counts: { created: 3, updated: 1, already_there: 1, unchanged: 1, refused: 1 },
      results: [
        ...[2, 3, 4].map((line) => [line, line === 3 ? 'updated' : 'created', null]),
        ...[
          [5, 'already_there', null],
          [6, 'unchanged', null],
          [7, 'created', null],
        ],
        [8, 'refused', expect.stringContaining('Moon')],
      ],
    });
    expect(outcomes.length).toBeGreaterThan(50 / step);
    expect(outcomes.every(({ isKilled }) => isKilled)).toBe(true);
  });

  it('changes nothing of what the owner sees: no row is lost, none is done twice', () => {
    for (const { seen } of outcomes) expect(seen).toEqual(undisturbed.seen);
  });

  it('has each watch that was made in the results by its id', () => {
    for (const { ids, rows } of [undisturbed, ...outcomes]) {
      const named = rows.flatMap(({ outcome, id }) => (outcome === 'created' ? [id] : []));
      expect(named.filter((id) => !ids.includes(id ?? ''))).toEqual([]);
    }
  });
}
