/** The watchlist API as a fuzzing target: memory stores, the things in its examples, an admin's key. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { exampleIds } from '#functions/api/document/example-ids.ts';
import { notFound } from '#functions/api/problem.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { hashApiKey } from '#shared/watchlist/api-key.ts';
import { type Api, aChannel, createKey, startApi, startMs, statsAt } from '#test/support/api.ts';
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
  ownHash = hashApiKey(key);
  const server = serve({ fetch: api.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name: 'watchlist API',
    url: `http://127.0.0.1:${port}`,
    configFile: 'watchlist.toml',
    variables: { API_KEY: key },
    excludedChecks: [],
    readFaults: () =>
      api.logged
        .filter(({ message }) => message === 'request.failed')
        .map(({ fields }) => String(fields.error)),
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
      await api.stop();
    },
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
    rules: [],
    channelIds: [exampleIds.channel],
    ...{ status: 'active', latencySeconds: 60, version: 1, createdAt, updatedAt: createdAt },
  });
}
