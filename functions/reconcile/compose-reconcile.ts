// Builds reconcile from stores, queues and the marketplace.

import { createTellOwner } from '#shared/delivery/tell-owner.ts';
import {
  channels,
  deliveries,
  evaluations,
  evaluationsBehind,
  jobs,
  quotas,
} from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { createSendNudge } from '#shared/lambda/send-nudge.ts';
import type { Notice } from '#shared/polling/notice.ts';
import { createNotify } from '#shared/polling/notify.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { createApplyWatchChanges } from './apply-watch-changes.ts';
import {
  composeReconcileFleet,
  type ReconcileFleetParts,
  reconcileFleetStores,
} from './compose-reconcile-fleet.ts';
import { createKeepSyntheticWatch } from './keep-synthetic-watch.ts';
import { createKeepOperatorChannels, type OperatorAddresses } from './operator-channels.ts';
import { readFleet } from './read-fleet.ts';
import { createRecapBought } from './recap-bought.ts';
import { createReconcile } from './reconcile.ts';
import { createResumeJobs } from './resume-jobs.ts';
import { runSteps } from './run-steps.ts';
import { createSendNotice } from './send-notice.ts';
import { createTellRecap } from './tell-recap.ts';

/** The stores that reconcile uses. */
export const reconcileStores = {
  ...reconcileFleetStores,
  channels,
  deliveries,
  evaluations,
  evaluationsBehind,
  jobs,
  quotas,
};

interface ReconcileParts extends Omit<ReconcileFleetParts, 'stores' | 'sendNotice' | 'sendEdits'> {
  stores: StoresOf<typeof reconcileStores>;
  senders: ChannelSenders;
  sendNudges: SendMessages;
  sendJobs: SendMessages;
  operator: OperatorAddresses;
  /** The event of the synthetic watch; undefined for none. */
  syntheticEvent: number | undefined;
  onNoticeSent: (notice: Notice, channels: number) => void;
  now: () => number;
}

/** @returns one whole run over these stores and queues. */
export function composeReconcile(parts: ReconcileParts) {
  const { stores, senders, sendNudges, sendJobs, onStepFailed, now } = parts;
  const sendNotice = createSendNotice({
    notices: stores.notices,
    tellOwner: createTellOwner({ ...stores, senders }),
    now,
    onSent: parts.onNoticeSent,
  });
  const notify = createNotify({ createNotice: stores.notices.create, sendNotice });
  const tellRecap = createTellRecap({ ...stores, notify });
  const applyWatchChanges = createApplyWatchChanges({
    ...stores,
    applyWatchChange: createApplyWatchChange(stores),
    recapBought: createRecapBought({ ...stores, tellRecap }),
  });
  const resume = createReconcile({ ...stores, senders, sendNudges, clock: now });
  const resumeJobs = createResumeJobs(stores.jobs, sendJobs);
  const keepOperatorChannels = createKeepOperatorChannels(stores.channels, parts.operator);
  const keepSyntheticWatch = createKeepSyntheticWatch(
    { ...stores, sendNudge: createSendNudge(sendNudges) },
    parts.syntheticEvent,
  );
  const reconcileFleet = composeReconcileFleet({
    ...{ ...parts, sendNotice },
    sendEdits: senders.webhook,
  });

  return async function reconcile() {
    const startedAt = now();
    const settledWatches = await applyWatchChanges(startedAt);
    const feeds = await readFleet(stores.feeds, startedAt);
    const resumed = await resume(feeds.active, startedAt);
    const operator = () => keepOperatorChannels(startedAt);
    const jobs = () => resumeJobs(startedAt);
    const synthetic = () => keepSyntheticWatch(startedAt);
    const kept = await runSteps({ operator, jobs, synthetic }, onStepFailed);
    const fleet = await reconcileFleet(feeds, startedAt);
    return { settledWatches, ...resumed, ...kept, ...fleet };
  };
}

export type ReconcileFigures = Awaited<ReturnType<ReturnType<typeof composeReconcile>>>;
