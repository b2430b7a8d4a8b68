// Lambda wiring of evaluate.
import { randomUUID } from 'node:crypto';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import * as z from 'zod';
import { evaluateMessageSchema } from '#shared/alerts/evaluation.ts';
import { createRaising } from '#shared/alerts/raising.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { createRollUp } from '#shared/dynamo/roll-up.ts';
import { createDynamo, createSqs } from '#shared/lambda/aws-clients.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { gatherSends } from '#shared/lambda/gathering-sender.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createQueueConsumer } from '#shared/lambda/queue-consumer.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { readRelease } from '#shared/lambda/release.ts';
import { startOf } from '#shared/watchlist/event-facts.ts';
import { isToBeRetried } from '#shared/watchlist/set-aside.ts';
import { createApplyMove } from './apply-move.ts';
import { createCatchUp } from './catch-up.ts';
import { createEvaluate } from './evaluate.ts';
import { createMatchStep } from './match-step.ts';
import { createRaiseAlert } from './raise-alert.ts';
import { createRecordSilence } from './record-silence.ts';
import { createTriggerFaults } from './set-trigger-aside.ts';
import { shareReads } from './shared-reads.ts';
import { openEvaluateStores } from './stores.ts';

const config = readConfig(
  z.object({
    WATCHLIST_TABLE: required,
    SNAPSHOTS_TABLE: required,
    EVALUATE_QUEUE_URL: required,
    EMAIL_QUEUE_URL: required,
    WEBHOOK_QUEUE_URL: required,
  }),
);
const { logger, metrics } = createObservability();
const release = readRelease();
const sqs = createSqs();
const stores = shareReads(openEvaluateStores(gatherReads(createDynamo()), config), Date.now);
const sendNudge = createQueueSender(sqs, config.EVALUATE_QUEUE_URL);
const senders = sendersByKind({
  email: gatherSends(createQueueSender(sqs, config.EMAIL_QUEUE_URL)),
  webhook: gatherSends(createQueueSender(sqs, config.WEBHOOK_QUEUE_URL)),
});

const raiseAlert = createRaiseAlert({
  findWatch: stores.watches.find,
  findChannel: stores.channels.find,
  findEventFacts: stores.eventFacts.find,
  alerts: stores.alerts,
  dispositions: stores.dispositions,
  deliveries: stores.deliveries,
  removeTrigger: stores.triggers.remove,
  ...createRaising(stores, senders),
  onRaised: ({ alertId, watchId, eventId, observedAt, firedAt }) => {
    const alertDelayMs = firedAt - observedAt;
    metrics.addMetric('alertDelayMs', MetricUnit.Milliseconds, alertDelayMs);
    const times = { observedAt, firedAt, alertDelayMs };
    logger.info('alert.fired', { alertId, watchId, eventId, ...times });
  },
});

const { triggers, snapshots, rollups, evaluations, feeds } = stores;
const catchUp = createCatchUp({
  snapshots,
  advance: evaluations.advance,
  clearLate: evaluations.clearLate,
  seriesOf: triggers.seriesOf,
  triggersOf: (eventId) =>
    triggers.forEvent(eventId, (fault) => isToBeRetried(fault, release, Date.now())),
  loadHistory: createLoadHistory({
    snapshots,
    rollups,
    evaluations,
    rollUp: createRollUp({ snapshots, rollups }),
  }),
  findFeed: ({ eventId, kind }) => feeds.find(eventId, kind),
  findEventStart: async (eventId) => startOf(await stores.eventFacts.find(eventId)),
  matchStep: createMatchStep({
    faults: createTriggerFaults({ watches: stores.watches, release }),
    applyMove: createApplyMove({ createTrigger: triggers.create, raiseAlert }),
    recordSilence: createRecordSilence({
      findWatch: stores.watches.find,
      findEventFacts: stores.eventFacts.find,
      alerts: stores.alerts,
    }),
  }),
});
const evaluate = createEvaluate({
  evaluations,
  catchUp,
  sendNudge: (message) => sendNudge([{ body: message, group: String(message.eventId) }]),
});

export const handler = createQueueConsumer({
  schema: evaluateMessageSchema,
  logger,
  metrics,
  handle: async (feed, { remainingMs, sentAt }) => {
    const startedAt = Date.now();
    const result = await evaluate(feed, randomUUID(), { now: Date.now, remainingMs });
    metrics.addMetric('snapshotsMatched', MetricUnit.Count, result.snapshots);
    metrics.addMetric('alertsRaised', MetricUnit.Count, result.alerts);
    logger.info('evaluate.finished', { ...feed, ...result, nudgedAt: sentAt, startedAt });
  },
});
