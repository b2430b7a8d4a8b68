// The deletion of everything that is stored of an owner, and how far it is.
import * as z from 'zod';
import { idSchema } from '#shared/watchlist/id.ts';
import { isOver, type Job, jobStates } from '#shared/watchlist/job.ts';
import { ownerData } from '#shared/watchlist/owner-data.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { createBeginJob } from '../jobs/begin-job.ts';
import { jobHeaders } from '../jobs/job-json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { createBeginDeletion, createRevokeKeys } from '../owner/begin-deletion.ts';
import { invalidFaults, notFound } from '../problem.ts';

const confirmationSchema = z
  .strictObject({
    confirm: z
      .string()
      .max(200)
      .meta({ description: 'The owner’s name or id, as GET /v1/owner has it' }),
  })
  .meta({ id: 'OwnerDeletionRequest' });

export const deletionSchema = z
  .object({
    id: z.string(),
    state: z.enum(jobStates).meta({
      description:
        'queued: not begun; running; done: nothing is stored any longer but what `stays` says; failed: stopped by a fault on our side, which the operator sees and repairs',
    }),
    began_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    deleted: z
      .record(z.string(), z.int())
      .meta({ description: 'Things that are deleted, by their kind' }),
    stays: z
      .record(z.string(), z.string())
      .meta({ description: 'Kinds of stored items about owners that stay for a while, and why' }),
  })
  .meta({ id: 'OwnerDeletion' });

const params = z.object({
  id: idSchema('deletion').meta({
    description: 'The deletion’s id',
    examples: [exampleIds.deletion],
  }),
});

/** delete, progress. */
export function ownerDeletionOperations(deps: ApiDeps): Operation[] {
  return [deleteOperation(deps), progressOperation(deps)];
}

function deleteOperation(deps: ApiDeps): Operation {
  const { stores } = deps;
  const beginDeletion = createBeginDeletion({
    stores,
    beginJob: createBeginJob(deps),
    revokeKeys: createRevokeKeys(stores),
  });
  return defineOperation({
    method: 'delete',
    path: '/v1/owner',
    tag: 'Owner',
    summary: 'Delete everything of an owner',
    description:
      'It begins at once and can’t be undone: export first (GET /v1/owner/export). From this request on all keys of the owner are refused, with the path of the progress in the refusal; nothing more is sent for it, and what waits is dropped. Then its watches, alerts, deliveries, channels, settings, jobs, keys and itself are deleted, which takes some minutes. GET /v1/deletions/{id} says how far that is; it needs no key, because none is left. What others need stays: prices and events, and the sums of the pull ledger, which name no owner.',
    access: 'write',
    body: confirmationSchema,
    bodyExamples: { id: { summary: 'By the id', value: { confirm: exampleIds.owner } } },
    answer: { status: 202, description: 'It has begun', schema: deletionSchema },
    refusals: [404],
    handle: async ({ ownerId, body, newId, now }) => {
      const owner = await stores.access.findOwner(ownerId);
      if (!owner) throw notFound('owner');
      if (body.confirm !== owner.ownerId && body.confirm !== owner.name) {
        const detail = `must be the name of the owner, ${JSON.stringify(owner.name)}, or its id, ${ownerId}: everything of it would be deleted`;
        throw invalidFaults([{ pointer: '#/confirm', detail }]);
      }
      const deletion = await beginDeletion(ownerId, newId('deletion'), now);
      const job = deletion && (await stores.jobs.find(deletion.deletionId));
      if (!job) throw notFound('owner');
      const headers = { location: `/v1/deletions/${job.jobId}`, ...jobHeaders(job) };
      return { body: deletionJson(job), headers };
    },
  });
}

function progressOperation({ stores }: ApiDeps): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/deletions/{id}',
    tag: 'Owner',
    summary: 'How far a deletion is',
    description:
      'Needs no key: the id of the deletion is enough. The answer names no owner. The deletion’s record is kept for seven days.',
    access: 'public',
    params,
    answer: { status: 200, description: 'The deletion', schema: deletionSchema },
    handle: async ({ params: { id } }) => {
      const job = await stores.jobs.find(id);
      if (job?.kind !== 'deletion') throw notFound('deletion');
      return { body: deletionJson(job), headers: jobHeaders(job) };
    },
  });
}

const stays: Record<string, string> = Object.fromEntries(
  Object.entries(ownerData).flatMap(([kind, { deleted }]) =>
    typeof deleted === 'string' || !deleted.isAboutOwners ? [] : [[kind, deleted.stays]],
  ),
);

function deletionJson(job: Job): z.infer<typeof deletionSchema> {
  return {
    ...{ id: job.jobId, state: job.state },
    began_at: new Date(job.createdAt).toISOString(),
    finished_at:
      isOver(job) && job.finishedAt !== undefined ? new Date(job.finishedAt).toISOString() : null,
    ...{ deleted: job.counts, stays },
  };
}
