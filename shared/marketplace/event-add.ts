/**
 * Event-add jobs: submit one, read its state, wait for its end. A submit is never repeated, because
 * it would add a second job.
 */
import type { CallOptions } from './attempt-guard.ts';
import { FREE } from './charge.ts';
import { eventAddBodySchema, JOB_TIMEOUT_SECONDS, jobIdSchema } from './contract/jobs.ts';
import { ENDPOINTS, endpointLabel, fillPath } from './endpoints.ts';
import { NetworkError } from './errors.ts';
import {
  type EventAddJob,
  type EventAddSubmitted,
  readEventAddJob,
  readEventAddSubmitted,
} from './reading/event-add.ts';
import { check, invalid } from './request-params.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

/**
 * Asks the service to search for events and add them.
 *
 * @param searchQuery at most 200 letters, digits, spaces and - _ . , ' " &
 * @throws RateLimitedError with `code` too_many_jobs when five jobs are unfinished
 */
export async function submitEventAdd(
  transport: Transport,
  searchQuery: string,
  options: CallOptions,
): Promise<Result<EventAddSubmitted>> {
  const endpoint = ENDPOINTS.eventAdd;
  const body = { search_query: searchQuery };
  check(endpoint, eventAddBodySchema, body);
  const { value, rateLimit, serviceClock } = await transport.json(
    { endpoint, path: endpoint.path, body, maxPulls: 0, options },
    readEventAddSubmitted,
  );
  return { data: value, cost: FREE, rateLimit, serviceClock };
}

/** Reads the state of a job. */
export async function fetchEventAddJob(
  transport: Transport,
  jobId: string,
  options: CallOptions,
): Promise<Result<EventAddJob>> {
  const endpoint = ENDPOINTS.eventAddStatus;
  if (!jobIdSchema.safeParse(jobId).success) throw invalid(endpoint, 'job_id', 'must be a UUID');
  const path = fillPath(endpoint.path, { job_id: jobId });
  const { value, rateLimit, serviceClock } = await transport.json(
    { endpoint, path, maxPulls: 0, options },
    readEventAddJob,
  );
  return { data: value, cost: FREE, rateLimit, serviceClock };
}

export interface WaitOptions extends CallOptions {
  /** Time between two reads of the job. @default 2000 */
  pollIntervalMs?: number | undefined;
  /** Called after each read. */
  onProgress?: ((job: EventAddJob) => void) | undefined;
}

/**
 * Waits until the job is completed, failed or timed out. The service ends a job after three
 * minutes; the wait gives up a minute later.
 *
 * @throws NetworkError with fault `deadline` when the job is unfinished at the deadline
 */
export async function waitForEventAdd(
  transport: Transport,
  jobId: string,
  options: WaitOptions,
): Promise<Result<EventAddJob>> {
  const giveUpMs = transport.now() + (JOB_TIMEOUT_SECONDS + 60) * 1000;
  const deadlineMs = Math.min(options.deadlineMs ?? giveUpMs, giveUpMs);
  const intervalMs = Math.max(transport.limits.minDelayMs, options.pollIntervalMs ?? 2000);
  for (;;) {
    const result = await fetchEventAddJob(transport, jobId, { ...options, deadlineMs });
    options.onProgress?.(result.data);
    if (!['pending', 'processing'].includes(result.data.status)) return result;
    if (transport.now() + intervalMs >= deadlineMs) throw stillUnfinished(result.data);
    await transport.sleep(intervalMs, options);
  }
}

function stillUnfinished(job: EventAddJob): NetworkError {
  const evidence = { endpoint: endpointLabel(ENDPOINTS.eventAddStatus) };
  return new NetworkError(`job ${job.job_id} is still ${job.status}`, evidence, 'deadline');
}
