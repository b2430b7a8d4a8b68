// The API as its function runs it: each part is loaded at the first request for it.
import { Hono } from 'hono';
import { once } from '#shared/lambda/at-first-call.ts';
import type { ApiDeps } from './api-deps.ts';
import { createApp } from './app.ts';
import { type PartRow, partAt } from './parts.ts';

export function createLazyApp(deps: ApiDeps) {
  const apps = new Map<PartRow, () => Promise<ReturnType<typeof createApp>>>();

  function appOf(row: PartRow): Promise<ReturnType<typeof createApp>> {
    const open = apps.get(row) ?? once(async () => createApp(deps, (await row.load()).part));
    apps.set(row, open);
    return open();
  }

  const app = new Hono();
  app.all('*', async ({ req, env }) => (await appOf(partAt(req.path))).fetch(req.raw, env));
  return app;
}
