// Actions on one watch: pause, resume, snooze. Each is safe to repeat; If-Match is optional.
import * as z from 'zod';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireMatch } from '../conventions/if-match.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults, problem } from '../problem.ts';
import { watchJson, watchJsonSchema } from '../watches/watch-json.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { watchParams } from './watches.ts';

const tag = 'Watches';
/** A longer snooze should be a pause. */
const longestSnoozeMs = 400 * 86_400_000;

const snoozeSchema = z
  .strictObject({
    until: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-03-01T12:00:00Z' })
      .nullable()
      .meta({ description: 'null ends a snooze' })
      .optional(),
    minutes: z
      .int()
      .min(1)
      .max(longestSnoozeMs / 60_000)
      .meta({ description: 'How long, counted from now; in place of `until`' })
      .optional(),
  })
  .refine(({ until, minutes }) => (until === undefined) !== (minutes === undefined), {
    error: 'must have either `until` or `minutes`',
  })
  .meta({ id: 'Snooze' });

const answer = {
  status: 200,
  description: 'The changed watch',
  schema: watchJsonSchema,
  hasVersion: true,
} as const;

/** pause, resume, snooze. */
export function watchActions(_deps: ApiDeps, use: WatchlistUse): Operation[] {
  return [switchOperation(use, 'pause'), switchOperation(use, 'resume'), snoozeOperation(use)];
}

function switchOperation(use: WatchlistUse, move: 'pause' | 'resume'): Operation {
  const isPause = move === 'pause';
  return defineOperation({
    method: 'post',
    path: `/v1/watches/{id}/${move}`,
    tag,
    summary: isPause ? 'Pause a watch' : 'Resume a watch',
    description: isPause
      ? 'A paused watch raises no alert and costs nothing until it is resumed.'
      : 'The watch continues with the prices at that time. Price changes during the pause raise no alert. A watch that ended because you bought a ticket is active again, and its `bought` is null.',
    access: 'write',
    params: watchParams,
    answer,
    refusals: [412],
    handle: ({ ownerId, params, ifMatch, by, now }) =>
      moveWatch(use, { id: params.id, ownerId, ifMatch, now }, async (watch) => {
        const { isOver } = await use.readEventNow(watch.eventId, now);
        if (isOver) throw problem('conflict', 'Its event is over');
        if (isPause && watch.status === 'ended') {
          throw problem('conflict', 'It has ended, because you bought a ticket');
        }
        return use.changeWatch.switch(watch, isPause ? 'paused' : 'active', { by, now });
      }),
  });
}

function snoozeOperation(use: WatchlistUse): Operation {
  return defineOperation({
    method: 'post',
    path: '/v1/watches/{id}/snooze',
    tag,
    summary: 'Snooze a watch',
    description: 'Until that time its alerts are recorded and not sent.',
    access: 'write',
    params: watchParams,
    body: snoozeSchema,
    bodyExamples: {
      day: { summary: 'For a day', value: { minutes: 1_440 } },
      end: { summary: 'End a snooze', value: { until: null } },
    },
    answer,
    refusals: [412],
    handle: ({ ownerId, params, body, ifMatch, by, now }) => {
      const until = snoozeEnd(body, now);
      if (until !== undefined && (until <= now || until > now + longestSnoozeMs)) {
        const detail = 'must be in the future, and within 400 days';
        throw invalidFaults([{ pointer: '#/until', detail }]);
      }
      return moveWatch(use, { id: params.id, ownerId, ifMatch, now }, (watch) =>
        use.changeWatch.snooze(watch, until, { by, now }),
      );
    },
  });
}

/** Epoch milliseconds; undefined ends a snooze. */
function snoozeEnd({ until, minutes }: z.infer<typeof snoozeSchema>, now: number) {
  if (minutes !== undefined) return now + minutes * 60_000;
  return typeof until === 'string' ? Date.parse(until) : undefined;
}

async function moveWatch(
  { owned, current }: WatchlistUse,
  which: { id: string; ownerId: string; ifMatch: readonly string[] | undefined; now: number },
  move: (watch: Watch) => Promise<Watch>,
) {
  const watch = await owned(which.id, which.ownerId);
  requireMatch(which.ifMatch, watch.version);
  const after = await move(watch);
  return { body: watchJson(await current(after, which.now)), version: after.version };
}
