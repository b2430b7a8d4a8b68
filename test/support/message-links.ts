// The links of sent messages, and a reader who follows them: reading a page changes nothing, each button does
// what it says, and pressing it twice is pressing it once.
import { expect } from 'vitest';
import type { Channel } from '#shared/delivery/channel.ts';
import type { Message } from '#shared/delivery/message/message.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import { type Api, signedLinks } from './api.ts';

const origin = 'https://getin.example';
const dayMs = 86_400_000;

/** Our own links in a message: its button, the page to stop everything, and a page for each watch. */
export function linksIn({ action, stopUrl, alerts }: Message): string[] {
  const urls = [action?.url, stopUrl, ...alerts.map(({ watchUrl }) => watchUrl)];
  return urls.filter((url) => url?.startsWith(`${origin}/`)).map(String);
}

/** Follows a link of an owner's message, and presses every button that its page and the pages after it have. */
export async function followLink(api: Api, ownerId: string, url: string): Promise<void> {
  const state = () => stateOf(api, ownerId);
  const before = await state();
  const page = await open(api, url);
  expect(await open(api, url)).toEqual(page);
  expect(await state(), `GET ${url}`).toEqual(before);
  const pressed = new Set<string>();
  let left = page.acts;
  while (left.length > 0) {
    const [act = ''] = left;
    pressed.add(act);
    const after = await press(api, url, { do: act });
    const once = await state();
    expectDone(act, await channelOf(api, url), watchIn(url), api.clock.now);
    expect(await press(api, url, { do: act }), `${act} again`).toEqual(after);
    expect(await state(), `${act} again`).toEqual(once);
    const next = [...after.acts, ...(await open(api, url)).acts, ...left];
    left = next.filter((each) => !pressed.has(each));
  }
}

/** Posts what a mail program posts for the List-Unsubscribe header. */
export async function unsubscribeOneClick(api: Api, url: string): Promise<void> {
  await press(api, url, { 'List-Unsubscribe': 'One-Click' });
  expect((await channelOf(api, url))?.status).toBe('unsubscribed');
}

/** The channel that a link is for. */
async function channelOf(api: Api, url: string): Promise<Channel | undefined> {
  const token = new URL(url).pathname.replace('/l/', '');
  const link = await signedLinks.read(token, api.clock.now);
  return link && api.stores.channels.find(link.channelId);
}

async function stateOf({ stores }: Api, ownerId: string) {
  const page = { limit: 100 };
  const [channels, deliveries, watches] = await Promise.all([
    stores.channels.list(ownerId, page),
    stores.deliveries.list(ownerId, page),
    stores.watches.listAll(ownerId),
  ]);
  return { channels: channels.rows, deliveries: deliveries.rows, watches };
}

interface Page {
  text: string;
  /** What its buttons do. */
  acts: string[];
}

async function open({ app }: Api, url: string): Promise<Page> {
  return pageOf(await app.request(url.slice(origin.length)), url);
}

async function press({ app }: Api, url: string, form: Record<string, string>): Promise<Page> {
  const sent = { method: 'POST', body: new URLSearchParams(form) };
  return pageOf(
    await app.request(url.slice(origin.length), sent),
    `${JSON.stringify(form)} ${url}`,
  );
}

async function pageOf(response: Response, what: string): Promise<Page> {
  const text = await response.text();
  expect(response.status, `${what}: ${text}`).toBe(200);
  expectOnlyOwnMarkup(text);
  return {
    text,
    acts: [...text.matchAll(/name="do" value="([a-z_]+)"/g)].map(([, act = '']) => act),
  };
}

const ownTag =
  /<(?:!doctype html|html lang="en"|meta (?:charset|name)="[^"<>]*"(?: content="[^"<>]*")?|(?:h1|p) dir="auto"|form method="post"|button name="do" value="[a-z_]+"|\/?(?:head|body|main|title|style)|\/(?:html|h1|p|form|button))>/g;

/** Names are text: without the page's own tags and style, nothing is left that HTML would parse. */
function expectOnlyOwnMarkup(page: string): void {
  const text = page.replace(/<style>[^<]*<\/style>/, '').replace(ownTag, '');
  expect(text).not.toMatch(/[<>"']|&(?!#\d+;)/);
}

/** A button's effect on the channel. */
function expectDone(act: string, channel: Channel | undefined, watchId: string, now: number) {
  const silentUntil = channel?.watchesSilentUntil[watchId] ?? 0;
  const allUntil = channel?.watchesSilentUntil[everyWatch] ?? 0;
  if (act === 'snooze_all') expect(allUntil).toBe(now + dayMs);
  else if (act === 'unsnooze_all') expect(allUntil).toBe(0);
  else if (act === 'snooze') expect(silentUntil).toBe(now + dayMs);
  else if (act === 'stop_watch') expect(silentUntil).toBe(forever);
  else if (act === 'resume_watch') expect(silentUntil).toBe(0);
  else expect(channel?.status, act).toBe(act === 'stop_all' ? 'unsubscribed' : 'active');
}

function watchIn(url: string): string {
  return new URL(url).searchParams.get('w') ?? '';
}
