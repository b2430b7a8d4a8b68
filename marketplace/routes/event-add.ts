/** Event-add: submits a job and reads its state (v0.4). Free. */
import {
  type EventAddSubmittedJson,
  eventAddBodySchema,
  eventAddJobSchema,
  eventAddSubmittedSchema,
  MAX_SIMULTANEOUS_JOBS,
} from '#shared/marketplace/contract.ts';
import {
  answerJson,
  answerText,
  type Call,
  type Route,
  type RouteOperation,
} from '../http/operation.ts';
import { parseBody } from '../http/parse.ts';

function answerSubmit(call: Call) {
  const { search_query } = parseBody(eventAddBodySchema, call);
  const submission = call.service.jobs.submit(call.account.id, search_query);
  if (!submission.taken) {
    const error = `${MAX_SIMULTANEOUS_JOBS} jobs are unfinished; wait for one to end`;
    return answerJson(
      { error, active_jobs: submission.activeJobs, max_simultaneous: MAX_SIMULTANEOUS_JOBS },
      429,
    );
  }
  const body: EventAddSubmittedJson = {
    job_id: submission.jobId,
    status: 'pending',
    message: 'The search job was accepted; read its status',
    active_jobs: submission.activeJobs,
    max_simultaneous: MAX_SIMULTANEOUS_JOBS,
  };
  return answerJson(body, 202);
}

function answerStatus(call: Call) {
  const job = call.service.jobs.read(call.account.id, call.param('job_id').toLowerCase());
  return job ? answerJson(job) : answerText('Job not found', 404);
}

const describeLimit: RouteOperation['describeLimit'] = ({ jobs }, accountId, now) =>
  jobs.describeCap(accountId, now);

export const eventAddRoutes: readonly Route[] = [
  {
    operation: {
      method: 'post',
      path: '/v0.4/events/event-request-add',
      summary: 'Search for events and add them',
      describeLimit,
      errors: 'sentence',
      access: 'api',
      body: eventAddBodySchema,
      answer: { status: 202, schema: eventAddSubmittedSchema, description: 'The job' },
      refusals: [400, 429],
    },
    handle: answerSubmit,
  },
  {
    operation: {
      method: 'get',
      path: '/v0.4/events/event-request-status/{job_id}/',
      summary: 'State of a job',
      describeLimit,
      errors: 'sentence',
      access: 'api',
      answer: { status: 200, schema: eventAddJobSchema, description: 'The job' },
      refusals: [404],
    },
    handle: answerStatus,
  },
];
