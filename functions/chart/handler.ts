// Lambda wiring of chart.
import * as z from 'zod';
import { createLinkReader } from '#shared/delivery/links.ts';
import { access, alerts } from '#shared/dynamo/store-list.ts';
import { orMissing } from '#shared/dynamo/stored-items.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { createDynamo, createSecrets } from '#shared/lambda/aws-clients.ts';
import { readConfig, required } from '#shared/lambda/config.ts';
import { createObservability } from '#shared/lambda/observability.ts';
import { createRouteHandler } from '#shared/lambda/route-handler.ts';
import { createSecretReader } from '#shared/lambda/secret.ts';
import { answerRequest } from './answer-request.ts';
import { loadRenderer } from './render-png.ts';
import { createShowChart } from './show-chart.ts';

const config = readConfig(z.object({ WATCHLIST_TABLE: required, LINK_SECRET: required }));
const stores = openStores(createDynamo(), config, { access, alerts });
const showChart = createShowChart({
  readLink: createLinkReader(createSecretReader(createSecrets(), config.LINK_SECRET, Date.now)),
  // A damaged alert has no picture.
  findAlert: (alertId) => orMissing(stores.alerts.find(alertId)),
  findOwner: (ownerId) => stores.access.findOwner(ownerId),
  renderPng: await loadRenderer(),
});

export const handler = createRouteHandler(
  (request) => answerRequest(request, { showChart, now: Date.now() }),
  createObservability(),
);
