/** How the client reads the jobs that add events. */
import type * as z from 'zod';
import { eventAddJobSchema, eventAddSubmittedSchema } from '../contract/jobs.ts';
import { needing } from './needed-fields.ts';

export const readEventAddSubmitted = needing(eventAddSubmittedSchema, 'job_id');
export type EventAddSubmitted = z.infer<typeof readEventAddSubmitted>;
export const readEventAddJob = needing(eventAddJobSchema, 'status');
export type EventAddJob = z.infer<typeof readEventAddJob>;
