// Deletes a channel. If it is the last channel of a watch, deletion must be requested explicitly:
// then those watches are paused first and the owner is told, so that we don't pay for polls without a reader.
import * as z from 'zod';
import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import { createFindUnreached, unreachedNotice } from '#shared/delivery/unreached.ts';
import type { ChangeMark } from '#shared/watchlist/changed-by.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { channelVersion } from '../channels/channel-json.ts';
import { type ChannelUse, channelParams, channelTag } from '../channels/channel-use.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { retryStale } from '../conventions/retry-stale.ts';
import { defineOperation } from '../operation.ts';
import { ProblemError, problem } from '../problem.ts';
import { flagParam } from '../query-params.ts';
import { createQuotas } from '../quotas.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const querySchema = z.strictObject({
  force: flagParam.optional().meta({
    description:
      'Delete the channel even if it is the only channel of active watches, and pause those watches',
  }),
  dry_run: flagParam.optional().meta({
    description: 'Answers as the deletion would, and changes nothing',
  }),
});

/** Maximum number of watches named in a refusal; the rest are counted. */
const mostNamed = 5;

export function deleteChannelOperation({ deps, owned }: ChannelUse, watchlist: WatchlistUse) {
  const { stores, senders } = deps;
  const quotas = createQuotas(deps);
  const tellOwner = createTellOwner({ ...stores, senders });
  const findUnreached = createFindUnreached({
    listWatches: stores.watches.listAll,
    findChannel: stores.channels.find,
    findHealth: stores.channelHealth.find,
    findSuppression: stores.suppressions.find,
  });

  async function pause({ watchId, ownerId }: Watch, mark: ChangeMark): Promise<void> {
    try {
      await retryStale(undefined, async () => {
        await watchlist.changeWatch.switch(await watchlist.owned(watchId, ownerId), 'paused', mark);
      });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 404) throw error;
    }
  }

  return defineOperation({
    method: 'delete',
    path: '/v1/channels/{id}',
    tag: channelTag,
    summary: 'Delete a channel',
    description:
      'Its queued deliveries are dropped and recorded as such. If active watches have no other channel, the answer is 409 with their ids in `watches`. With force=true these watches are paused, and another channel of yours gets a notice, if there is one. Nothing stored names its address, secret or URL any longer; only an encrypted answer under an Idempotency-Key has them for up to a day, which only your key opens. Deliveries keep the channel’s id, and what a receiver answered without the URL.',
    access: 'write',
    params: channelParams,
    query: querySchema,
    answer: { status: 204, description: 'It is gone; after a dry run it is as before' },
    refusals: [409],
    handle: async ({ ownerId, params: { id }, query, ifMatch, by, now }) => {
      const channel = await owned(id, ownerId);
      requireMatch(ifMatch, channelVersion(channel));
      const unreached = await watchlist.withCurrentStatus(
        await findUnreached(channel, { now, isGone: true }),
        now,
      );
      const active = unreached.filter(({ status }) => status === 'active');
      if (active.length > 0 && query.force !== true) throw lastChannelProblem(active);
      if (query.dry_run === true) return {};
      if (active.length > 0) {
        await tellOwner({
          ...{ ownerId, subject: `unreached#${id}#deleted`, exceptChannelId: id, now },
          notice: unreachedNotice(channel, active, 'deleted'),
        });
        const mark: ChangeMark = { by: { ...by, way: 'channel_deletion' }, now };
        for (const watch of active) await pause(watch, mark);
      }
      if (!(await stores.channels.removeIf(channel))) throw staleVersion();
      await stores.channelHealth.recover(id);
      await stores.channelChats.forget(id);
      await quotas.giveChannel(ownerId);
      return {};
    },
  });
}

function lastChannelProblem(watches: readonly Watch[]): ProblemError {
  const ids = watches.map(({ watchId }) => watchId);
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return problem(
    'last-channel',
    `These watches have no other channel: ${ids.slice(0, mostNamed).join(', ')}${more}. Give them another channel, or repeat the request with ?force=true, which pauses them`,
    { members: { watches: ids } },
  );
}
