// How a row of the pull ledger is stored.
import { any, item, number, string } from 'dynamodb-toolbox/schema';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import type { Pull } from '#shared/polling/pull.ts';
import type { PullSharers } from '#shared/polling/pull-sharers.ts';
import { storedAs } from './stored-as.ts';

export const pullSchema = storedAs<Pull>()(
  item({
    day: string().key(),
    callId: string().key(),
    eventId: number(),
    kind: string().enum(...feedKinds),
    pulls: number(),
    mostPulls: number().optional(),
    reason: string(),
    state: string().enum('settled', 'unsettled'),
    pulledAt: number(),
    refreshAt: number().optional(),
    watches: number(),
    sharers: any().castAs<PullSharers>().optional(),
    expiresAtEpochSeconds: number(),
  }),
);
