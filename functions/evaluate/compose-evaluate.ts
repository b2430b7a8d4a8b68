// Builds evaluate from stores, queues and a clock: for the function and for tests.
import type { Alert } from '#shared/alerts/alert.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { createRecentPoints } from '#shared/dynamo/recent-points.ts';
import { evaluations, feeds, rollups, snapshots, triggers } from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import { createSendNudge } from '#shared/lambda/send-nudge.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import { isToBeRetried } from '#shared/watchlist/set-aside.ts';
import { createApplyTransition } from './apply-transition.ts';
import { createAskForEdits } from './ask-for-edits.ts';
import { createCatchUp } from './catch-up.ts';
import { composeRaiseAlert, raiseAlertStores } from './compose-raise-alert.ts';
import { createEvaluate } from './evaluate.ts';
import { createMatchStep } from './match-step.ts';
import { createNudgeShards } from './nudge-shards.ts';
import { createRecordSilence } from './record-silence.ts';
import { createRunCharts } from './run-charts.ts';
import { createTriggerFaults } from './set-trigger-aside.ts';

/** The stores that evaluate uses. */
export const evaluateStores = {
  ...raiseAlertStores,
  evaluations,
  feeds,
  rollups,
  snapshots,
  triggers,
};

interface EvaluateParts {
  stores: StoresOf<typeof evaluateStores>;
  senders: ChannelSenders;
  sendNudges: SendMessages;
  /** The release that this process runs. */
  release: string;
  now: () => number;
  onRaised: (alert: Alert) => void;
}

/** @returns the evaluate use case over these stores and queues. */
export function composeEvaluate(parts: EvaluateParts) {
  const { evaluations } = parts.stores;
  return createEvaluate({
    evaluations,
    catchUp: composeCatchUp(parts),
    sendNudge: createSendNudge(parts.sendNudges),
  });
}

function composeCatchUp(parts: EvaluateParts) {
  const { stores, release, now } = parts;
  const { evaluations, feeds, snapshots, triggers } = stores;
  const recentPoints = createRecentPoints(stores);
  return createCatchUp({
    snapshots,
    advance: evaluations.advance,
    clearLate: evaluations.clearLate,
    seriesOf: triggers.seriesOf,
    triggersOf: ({ eventId, shard }) =>
      triggers.forEvent(eventId, {
        shard,
        isTried: (fault) => isToBeRetried(fault, release, now()),
      }),
    shardsOf: triggers.shardsOf,
    nudgeShards: createNudgeShards({ evaluations, sendNudges: parts.sendNudges }),
    loadHistory: createLoadHistory(stores),
    chartsOf: (run) => createRunCharts(recentPoints, run),
    findFeed: ({ eventId, kind }) => feeds.find(eventId, kind),
    findEventStart: async (eventId) => startOf(await stores.eventFacts.find(eventId)),
    matchStep: composeMatchStep(parts),
    askForEdits: createAskForEdits(parts.senders.webhook),
  });
}

function composeMatchStep({ stores, senders, release, onRaised }: EvaluateParts) {
  const { alerts, eventFacts, snapshots, triggers, watches } = stores;
  const removeTrigger = triggers.remove;
  const raiseAlert = composeRaiseAlert({ stores, removeTrigger, senders, onRaised });
  return createMatchStep({
    faults: createTriggerFaults({ watches, release }),
    latest: snapshots.latest,
    applyMove: createApplyTransition({ createTrigger: triggers.create, raiseAlert }),
    recordSilence: createRecordSilence({
      findWatch: watches.find,
      findEventFacts: eventFacts.find,
      alerts,
    }),
  });
}
