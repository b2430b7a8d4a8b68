/** The watchlist API as a fuzzing target: memory stores, the things in its examples, an admin's key. */
import { exampleIds } from '#functions/api/document/example-ids.ts';
import { notFound } from '#functions/api/problem.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { hashSecretToken } from '#shared/watchlist/secret-token.ts';
import { anAlert } from '#test/support/alerts.ts';
import { type Api, aChannel, createKey, startApi, startMs, statsAt } from '#test/support/api.ts';
import { aJob } from '#test/support/jobs.ts';
import { serveApi } from '#test/support/serve-api.ts';
import type { Target } from './schemathesis.ts';

export async function startWatchlistTarget(): Promise<Target> {
  let ownHash = '';
  // A key may revoke itself where another one can do as much; then every other call would get 401.
  const keepKey = (stores: Stores): Stores => ({
    ...stores,
    apiKeys: {
      ...stores.apiKeys,
      revoke: async (apiKey, at) =>
        apiKey.hash !== ownHash && (await stores.apiKeys.revoke(apiKey, at)),
    },
  });
  const api = await startApi(
    {
      requestLimit: { requests: 1e9, windowSeconds: 60 },
      resolveEvent: async (shEventId) => {
        if (shEventId % 2 === 0) return { eventId: exampleIds.event, pulls: 1 };
        throw notFound('event');
      },
    },
    keepKey,
  );
  await seed(api);
  const key = await createKey(api, api.ann.ownerId, 'admin');
  ownHash = hashSecretToken(key);
  const { url, stop } = await serveApi(api);
  return {
    name: 'watchlist API',
    url,
    configFile: 'watchlist.toml',
    variables: { API_KEY: key },
    // A revoked key stays readable: a list of keys answers who could do what when. What else is deleted answers
    // 404, which the tests of each resource check; the setting of one operation does not reach this check.
    excludedChecks: ['use_after_free'],
    readFaults: () =>
      api.logged
        .filter(({ message }) => message === 'request.failed')
        .map(({ fields }) => JSON.stringify(fields.error)),
    stop,
  };
}

/** The things in the document's examples, so that fuzzing gets more than 404s. */
async function seed(api: Api): Promise<void> {
  const { ownerId } = api.ann;
  const { stores } = api;
  const createdAt = new Date(startMs).toISOString();
  await stores.channels.create(aChannel(exampleIds.channel, ownerId));
  await stores.snapshots.createAll([statsAt(startMs, 100, { 'Lower Bowl': 100 })], startMs);
  await stores.access.createOwner({ ownerId: exampleIds.owner, name: 'example', createdAt });
  await stores.watches.create({
    ...{ watchId: exampleIds.watch, ownerId, eventId: exampleIds.event },
    rules: [
      {
        ruleId: exampleIds.rule,
        rule: { type: 'fill_rate', at_or_above: 60 },
        triggerIds: ['trg_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e'],
      },
    ],
    channelIds: [exampleIds.channel],
    ...{ status: 'active', latencySeconds: 60, version: 1, createdAt, updatedAt: createdAt },
  });
  await stores.jobs.create(aJob({ jobId: exampleIds.job, ownerId }));
  await seedLog(api);
}

/** An alert of the watch, and its delivery, which failed. */
async function seedLog({ ann: { ownerId }, stores }: Api): Promise<void> {
  const { alert: alertId, channel: channelId, delivery: deliveryId } = exampleIds;
  const { watch: watchId, rule: ruleId } = exampleIds;
  await stores.alerts.create(
    anAlert({ alertId, ownerId, watchId, ruleId, channelIds: [channelId] }),
  );
  const delivery = newDelivery(
    { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'email' },
    { now: startMs },
  );
  await stores.deliveries.create({ ...delivery, status: 'failed', alertIds: new Set([alertId]) });
}
