// The links of sent messages, and a reader who follows them: reading a page changes nothing, each button does
// what it says, and pressing it twice is pressing it once.
import { expect } from 'vitest';
import type { Message } from '#shared/delivery/message/message.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import { type Api, signedLinks } from './api.ts';
import { expectOnlyOwnMarkup, formsIn, type LinkForm } from './link-forms.ts';

const origin = 'https://getin.example';
const dayMs = 86_400_000;

/** Our own links in a message: its buttons, the page to stop everything, and a page for each alert. */
export function linksIn({ links, stopUrl, alerts }: Message): string[] {
  const urls = [...links.map(({ url }) => url), stopUrl, ...alerts.map(({ pageUrl }) => pageUrl)];
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
  let left = page.forms;
  while (left.length > 0) {
    const [{ act, fields } = { act: '', fields: {} }] = left;
    pressed.add(act);
    const after = await press(api, url, fields);
    const once = await state();
    await expectDone(api, act, url);
    expect(await press(api, url, fields), `${act} again`).toEqual(after);
    expect(await state(), `${act} again`).toEqual(once);
    // A form is as new as the last page.
    const next = [...after.forms, ...(await open(api, url)).forms];
    left = next.filter((each) => !pressed.has(each.act));
  }
}

/** Posts what a mail program posts for the List-Unsubscribe header. */
export async function unsubscribeOneClick(api: Api, url: string): Promise<void> {
  await press(api, url, { 'List-Unsubscribe': 'One-Click' });
  expect((await aboutOf(api, url)).channel?.status).toBe('unsubscribed');
}

/** Whether a link is to a channel's own page, as the List-Unsubscribe header has it. */
export async function isOfChannel(api: Api, url: string): Promise<boolean> {
  return (await linkIn(api, url))?.action === 'manage';
}

function linkIn(api: Api, url: string) {
  return signedLinks.read(new URL(url).pathname.replace('/l/', ''), api.clock.now);
}

/** The channel and the watch that a link is for. */
async function aboutOf(api: Api, url: string) {
  const link = await linkIn(api, url);
  const channel = link && (await api.stores.channels.find(link.channelId));
  const alert = link && 'alertId' in link ? await api.stores.alerts.find(link.alertId) : undefined;
  const watchId = alert?.watchId ?? new URL(url).searchParams.get('w') ?? '';
  const watch = watchId === '' ? undefined : await api.stores.watches.find(watchId);
  return { channel, watch, watchId };
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
  forms: LinkForm[];
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
  return { text, forms: formsIn(text) };
}

/** A button's effect on the channel, or on the watch. */
async function expectDone(api: Api, act: string, url: string): Promise<void> {
  const { channel, watch, watchId } = await aboutOf(api, url);
  const { now } = api.clock;
  const silentUntil = channel?.watchesSilentUntil[watchId] ?? 0;
  const allUntil = channel?.watchesSilentUntil[everyWatch] ?? 0;
  if (act === 'bought') expect(watch?.status).toBe('ended');
  else if (act === 'undo_bought') expect(watch?.bought).toBeUndefined();
  else if (['new_low', 'level', 'undo_rule'].includes(act)) expect(watch?.changedBy?.act).toBe(act);
  else if (act === 'snooze_all') expect(allUntil).toBe(now + dayMs);
  else if (act === 'unsnooze_all') expect(allUntil).toBe(0);
  else if (act === 'snooze') expect(silentUntil).toBe(now + dayMs);
  else if (act === 'stop_watch') expect(silentUntil).toBe(forever);
  else if (act === 'resume_watch') expect(silentUntil).toBe(0);
  else expect(channel?.status, act).toBe(act === 'stop_all' ? 'unsubscribed' : 'active');
}
