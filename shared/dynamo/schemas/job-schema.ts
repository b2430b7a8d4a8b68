// How a job is stored.
import { any, item, number, record, string } from 'dynamodb-toolbox/schema';
import { type Job, jobKinds, jobStates } from '#shared/watchlist/job.ts';
import { storedAs } from './stored-as.ts';

export const jobSchema = storedAs<Job>()(
  item({
    jobId: string().key(),
    ownerId: string(),
    kind: string().enum(...jobKinds),
    state: string().enum(...jobStates),
    options: any().castAs<Record<string, unknown>>(),
    inputLots: number(),
    total: number(),
    done: number(),
    counts: record(string(), number()),
    lots: number(),
    cursor: any().optional(),
    summary: any().castAs<Record<string, unknown>>().optional(),
    idleRuns: number(),
    error: string().optional(),
    cancelRequestedAt: number().optional(),
    lease: string().optional(),
    leaseUntil: number().optional(),
    createdAt: number(),
    updatedAt: number(),
    finishedAt: number().optional(),
    expiresAtEpochSeconds: number(),
  }),
);
