// The owner's own settings: name, time zone, quiet hours, digest, recaps.
import * as z from 'zod';
import { digestModes, hearingTimesOf, type Owner } from '#shared/watchlist/owner.ts';
import { ownerChangeSchema } from '#shared/watchlist/owner-change.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { notFound } from '../problem.ts';

const tag = 'Owner';

export const ownerJsonSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    time_zone: z.string(),
    quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable(),
    digest: z.object({ mode: z.enum(digestModes), daily_at: z.string() }),
    recaps: z.boolean().meta({ description: 'Whether a recap is sent after each event' }),
  })
  .meta({ id: 'Owner' });

const answer = { status: 200, description: 'Your settings', schema: ownerJsonSchema } as const;

/** get, change. */
export function ownerOperations({ stores }: ApiDeps): Operation[] {
  const found = async (ownerId: string): Promise<Owner> => {
    const owner = await stores.access.findOwner(ownerId);
    if (!owner) throw notFound('owner');
    return owner;
  };
  const get = defineOperation({
    method: 'get',
    path: '/v1/owner',
    tag,
    summary: 'Name, quiet hours, digest and time zone of an owner',
    description: 'The settings of the key’s owner. quiet_hours is null if there are none.',
    access: 'read',
    answer: { ...answer, hasVersion: true },
    handle: async ({ ownerId }) => answerOf(await found(ownerId)),
  });
  const change = defineOperation({
    method: 'patch',
    path: '/v1/owner',
    tag,
    summary: 'Change name, quiet hours, digest and time zone',
    description:
      'Alerts raised in quiet hours are held until the quiet hours end, and are then sent in one message if they are still true. Quiet hours include their start and exclude their end, in the owner’s time zone. Alerts of urgent rules ignore quiet hours and digests, up to 20 a day.',
    access: 'write',
    body: ownerChangeSchema,
    bodyExamples: {
      name: { summary: 'Another name', value: { name: 'Ann’s tickets' } },
      recaps: { summary: 'No recaps after events', value: { recaps: false } },
      nights: {
        summary: 'Quiet nights in New York, and a daily digest',
        value: {
          time_zone: 'America/New_York',
          quiet_hours: { from: '22:00', to: '07:00' },
          digest: { mode: 'daily', daily_at: '08:00' },
        },
      },
    },
    answer: { ...answer, hasVersion: true },
    handle: async ({ ownerId, body, ifMatch }) => {
      const before = await found(ownerId);
      requireMatch(ifMatch, versionOf(before));
      const { name, time_zone, quiet_hours, digest, recaps } = body;
      const settings = {
        name,
        recaps,
        timeZone: time_zone,
        quietHours: quiet_hours,
        digest: digest && { mode: digest.mode, dailyAt: digest.daily_at },
      };
      if (!(await stores.access.changeOwner(ownerId, settings, before))) throw staleVersion();
      return answerOf(await found(ownerId));
    },
  });
  return [get, change];
}

function answerOf(owner: Owner) {
  return { body: ownerJson(owner), version: versionOf(owner) };
}

function ownerJson(owner: Owner): z.infer<typeof ownerJsonSchema> {
  const { timeZone, quietHours, digest } = hearingTimesOf(owner);
  return {
    id: owner.ownerId,
    name: owner.name,
    time_zone: timeZone,
    quiet_hours: quietHours ?? null,
    digest: { mode: digest.mode, daily_at: digest.dailyAt },
    recaps: owner.recaps ?? true,
  };
}

/** The number of changes of the owner's settings. */
function versionOf({ revision = 0 }: Owner): number {
  return revision;
}
