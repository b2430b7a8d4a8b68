// The desk in a browser: its page and the API on one port of loopback, and a person who is signed in.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { answerRequest } from '#functions/console/answer-request.ts';
import { type ConsoleFiles, readConsoleFiles } from '#functions/console/console-files.ts';
import { buildConsole } from '#infra/constructs/console-bundle.ts';
import { type Api, eventId, startApi, statsAt, watchBody } from './api.ts';
import { type Look, openPage, type WatchedPage } from './browser.ts';
import { storePolled } from './polled-event.ts';
import { serveApi } from './serve-api.ts';

export interface Desk {
  api: Api;
  url: string;
  stop(): Promise<void>;
}

let built: ConsoleFiles | undefined;

/** The files of the desk, built once in a process. */
export function builtDesk(): ConsoleFiles {
  if (built) return built;
  const folder = mkdtempSync(join(tmpdir(), 'getin-desk-'));
  try {
    buildConsole(folder);
    built = readConsoleFiles(folder);
    return built;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the desk and serves it with an API over fresh tables. @param also replaces dependencies of the API */
export async function startDesk(
  also: Parameters<typeof startApi>[0] = {},
  wrapStores?: Parameters<typeof startApi>[1],
): Promise<Desk> {
  const files = builtDesk();
  const requestLimit = { requests: 100_000, windowSeconds: 60 };
  const api = await startApi({ requestLimit, ...also }, wrapStores);
  const served = await serveApi(api, (request) => {
    const { pathname } = new URL(request.url);
    const [, proxy] = /^\/console\/(.+)$/.exec(pathname) ?? [];
    if (pathname !== '/' && proxy === undefined) return api.app.fetch(request);
    const headers = Object.fromEntries(request.headers);
    const asked = { path: { proxy }, query: {}, headers, wantsBody: true };
    const { status, headers: given, body } = answerRequest(asked, files);
    return new Response(typeof body === 'string' ? body : Buffer.from(body ?? ''), {
      status,
      headers: given,
    });
  });
  return { api, ...served };
}

/** Gives a browser the session of a key, in place of the one that it has. */
export async function signIn(context: BrowserContext, { api }: Desk, key: string): Promise<void> {
  const { headers, status, text } = await api.call('/v1/sessions', {
    ...{ body: { key }, headers: { 'sec-fetch-site': 'same-origin' } },
  });
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`${status} ${text}`);
  const at = { domain: '127.0.0.1', path: '/' };
  await context.addCookies([
    { name, value, ...at, secure: true, httpOnly: true, sameSite: 'Strict' },
  ]);
}

/** Opens an address of the desk, such as `/board`, in a page of its own, signed in with a key. */
export async function openDesk(
  browser: Browser,
  desk: Desk,
  {
    address = '/board',
    key = desk.api.ann.key,
    look = {},
  }: { address?: string; key?: string; look?: Look } = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, look);
  // The page and the API have one time.
  await watched.page.clock.install({ time: desk.api.clock.now });
  await signIn(watched.page.context(), desk, key);
  await watched.page.goto(`${desk.url}/console${address}`);
  return watched;
}

/** A watch of Ann with a level of $80, on an event with this name whose get-in price is known. */
export async function aWatchOf(
  { api }: Desk,
  name: string,
  price: number,
  { id = eventId, ...also }: { id?: number } & Record<string, unknown> = {},
): Promise<{ id: string }> {
  const { stores, clock } = api;
  await stores.eventFacts.keep({
    ...{ eventId: id, name, date: '2026-03-08', time: '19:30', timeZone: 'America/New_York' },
    ...{ venueName: 'Madison Square Garden', venueCity: 'New York', updatedAt: 1 },
  });
  const { status, body, text } = await api.call('/v1/watches', {
    body: watchBody(api, { event_id: id, ...also }),
  });
  if (status !== 201) throw new Error(text);
  const hour = Math.floor(clock.now / 3_600_000);
  const cents = (length: number) => Array.from({ length }, (_, back) => price * 100 + back * 10);
  await storePolled(stores, [{ ...statsAt(clock.now, price), eventId: id }], {
    recent: { hour, cents: cents(25).reverse(), week: cents(56).reverse() },
  });
  return body;
}
