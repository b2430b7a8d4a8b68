// The API as its function runs it: each part is loaded at the first request for it.
import { Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import { createApp } from './app.ts';
import { type PartRow, partAt } from './parts.ts';

export function createLazyApp(deps: ApiDeps) {
  const loading = new Map<PartRow, Promise<ReturnType<typeof createApp>>>();

  function appOf(row: PartRow): Promise<ReturnType<typeof createApp>> {
    const known = loading.get(row) ?? row.load().then(({ part }) => createApp(deps, part));
    loading.set(row, known);
    return known;
  }

  const app = new Hono();
  app.all('*', async ({ req, env }) => (await appOf(partAt(req.path))).fetch(req.raw, env));
  return app;
}
