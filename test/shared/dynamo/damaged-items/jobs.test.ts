// What the store of jobs makes of a job that is damaged in one field.
import { describe, expect, it } from 'vitest';
import { eachDamageOf, now, openDamage } from '#test/support/damaged-items/open-damage.ts';
import { aJob } from '#test/support/jobs.ts';

const { opened, damage } = openDamage();

const jobId = `job_${'1'.repeat(32)}`;
const other = `job_${'2'.repeat(32)}`;

async function createDamaged(field: string, value: unknown) {
  const { jobs } = opened.tables.stores;
  await jobs.create(aJob({ jobId, createdAt: now, counts: { created: 4 } }));
  await jobs.create(aJob({ jobId: other, createdAt: now }));
  await damage(`JOB#${jobId}`, 'JOB', field, value);
  return jobs;
}

describe('a damaged job', () => {
  it.each(eachDamageOf(['idleRuns', 'counts', 'options', 'createdAt', 'updatedAt', 'leaseUntil']))(
    'goes on if no lot needs the field: %s %s',
    async (field, _change, value) => {
      const jobs = await createDamaged(field, value);
      const held = await jobs.acquire(jobId, 'a', now);
      expect(held).toMatchObject({ jobId, state: 'running', lots: 0 });
      expect(await jobs.release(held ?? aJob(), now)).toBe(true);
    },
  );

  it.each(eachDamageOf(['lots', 'done', 'total', 'inputLots', 'kind', 'ownerId']))(
    'is left alone otherwise, and keeps no other from its place: %s %s',
    async (field, _change, value) => {
      const jobs = await createDamaged(field, value);
      expect(await jobs.find(jobId)).toBeUndefined();
      expect(await jobs.acquire(jobId, 'a', now)).toBeUndefined();
      const { rows } = await jobs.list('own_1', { limit: 5 });
      expect(rows.map((job) => job.jobId)).toContain(other);
    },
  );
});
