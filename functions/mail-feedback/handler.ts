// Lambda wiring of mail-feedback.
import * as z from 'zod';
import { createDynamo } from '#shared/runtime/aws-clients.ts';
import { readConfig, required } from '#shared/runtime/config.ts';
import { createObservability } from '#shared/runtime/observability.ts';
import { createQueueConsumer } from '#shared/runtime/queue-consumer.ts';
import { createSuppressionStore } from '#shared/store/suppressions.ts';
import { createWatchlistTable } from '#shared/store/tables.ts';
import { createMailFeedback } from './mail-feedback.ts';

const config = readConfig(z.object({ WATCHLIST_TABLE: required }));
const { logger, metrics } = createObservability();
const mailFeedback = createMailFeedback({
  suppressions: createSuppressionStore(
    createWatchlistTable(createDynamo(), config.WATCHLIST_TABLE),
  ),
  onVerdict: (verdict) => logger.info('mail.feedback', verdict),
});

export const handler = createQueueConsumer({
  schema: z.unknown(),
  logger,
  metrics,
  handle: (message) => mailFeedback(message, Date.now()),
});
