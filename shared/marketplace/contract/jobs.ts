/**
 * Event-add jobs: submit body, submit answer, status answer and the over-cap answer.
 */
import * as z from 'zod';
import { instantSchema } from './values.ts';

export const jobStatusSchema = z
  .enum(['pending', 'processing', 'completed', 'failed', 'timeout'])
  .meta({ id: 'JobStatus', description: 'pending and processing count toward the cap' });
export type JobStatus = z.infer<typeof jobStatusSchema>;

export const MAX_SIMULTANEOUS_JOBS = 5;
export const SEARCH_QUERY_MAX_LENGTH = 200;
export const JOB_TIMEOUT_SECONDS = 180;

/** Letters, digits, space and - _ . , ' " & (api.md, event-request-add). */
export const eventAddBodySchema = z
  .object({
    search_query: z
      .string()
      .min(1)
      .max(SEARCH_QUERY_MAX_LENGTH)
      .regex(
        /^[\p{L}\p{N} \-_.,'"&]+$/u,
        'may hold letters, digits, space and the punctuation - _ . , \' " &',
      )
      .meta({ description: 'Letters, digits, space and the punctuation - _ . , \' " &' }),
  })
  .meta({
    id: 'EventAddBody',
    description: 'The search for events to add',
    examples: [{ search_query: 'Knicks' }],
  });
export type EventAddBody = z.infer<typeof eventAddBodySchema>;

export const jobIdSchema = z.uuid();

export const eventAddSubmittedSchema = z
  .looseObject({
    job_id: jobIdSchema,
    status: jobStatusSchema,
    message: z.string(),
    active_jobs: z.int().min(0),
    max_simultaneous: z.int().min(0),
  })
  .meta({ id: 'EventAddSubmitted', description: 'An accepted job' });
export type EventAddSubmittedJson = z.infer<typeof eventAddSubmittedSchema>;

/** Times are null, and counts 0 or null, until the job reaches that step. */
export const eventAddJobSchema = z
  .looseObject({
    job_id: jobIdSchema,
    status: jobStatusSchema,
    message: z.string().nullish(),
    created_at: instantSchema,
    started_at: instantSchema.nullish(),
    completed_at: instantSchema.nullish(),
    search_query: z.string(),
    events_added: z.int().nullish(),
    events_updated: z.int().nullish(),
    error: z.string().nullish(),
    response_time_ms: z.int().nullish(),
    expired: z.boolean().nullish(),
  })
  .meta({ id: 'EventAddJob', description: 'The state of an event-add job' });
export type EventAddJobJson = z.infer<typeof eventAddJobSchema>;
