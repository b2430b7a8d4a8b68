// An alert's page over real tables: a watch with an alert, its signed page, and a reader who presses its buttons.
import { expect } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import { compileRule } from '#shared/rules/compile.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { anAlert } from './alerts.ts';
import { type Api, levelRule, signedLinks, startMs, statsAt, watchBody } from './api.ts';
import { expectOnlyOwnMarkup, formsIn, type LinkForm, textOf } from './link-forms.ts';

/** A page as its reader sees it. */
export interface SeenPage {
  status: number;
  html: string;
  text: string;
  forms: LinkForm[];
  headers: Headers;
}

let made = 0;

/** A watch of `ann` on an event of its own, at $74, and the alert of its first rule at that price. */
export async function alertedWatch(
  api: Api,
  given: { rule?: object; watch?: object; alert?: Partial<Alert>; price?: number | null } = {},
) {
  const { rule: asked = levelRule(80), price = 74 } = given;
  made += 1;
  const eventId = 30_000 + made;
  const rule = ruleSchema.parse(asked);
  const body = watchBody(api, { event_id: eventId, rules: [rule], ...given.watch });
  const created = await api.call('/v1/watches', { body });
  expect(created.status, created.text).toBe(201);
  await storePrice(api, eventId, price);
  const watch = await watchOf(api, created.body.id);
  const alert = alertOf(watch, given.alert);
  await api.stores.alerts.create(alert);
  return { watchId: watch.watchId, eventId, alert, page: await pageOf(api, alert) };
}

/** The event's get-in at the newest snapshot, dollars. */
export async function storePrice(api: Api, eventId: number, price: number | null, at = startMs) {
  const snapshot = { ...statsAt(at, price), eventId };
  await api.stores.snapshots.createAll([snapshot], startMs);
}

export async function watchOf({ stores }: Api, watchId: string): Promise<Watch> {
  const watch = await stores.watches.find(watchId);
  if (!watch) throw new Error(`there is no watch ${watchId}`);
  return watch;
}

/** The alert of the watch's first rule at $74. */
export function alertOf(watch: Watch, changes: Partial<Alert> = {}): Alert {
  const [own] = watch.rules;
  const [spec] = own ? compileRule(own.rule) : [];
  if (!own || !spec) throw new Error('the watch has no rule');
  const { watchId, ownerId, eventId, channelIds } = watch;
  const level = own.rule.type === 'level' ? (own.rule.at_or_below ?? own.rule.at_or_above) : null;
  return anAlert({
    ...{ watchId, ownerId, eventId, channelIds, ruleId: own.ruleId },
    ...{ alertId: `alt_${own.ruleId.replace('rul_', '')}_1`, triggerId: own.triggerIds[0] ?? '' },
    ...{ series: spec.series, direction: spec.direction, sentence: ruleSentence(own.rule) },
    askedLevel: level == null ? null : level * 100,
    observedAt: startMs,
    firedAt: startMs,
    ...changes,
  });
}

/** The path of the alert's page on `ann`'s channel. */
export async function pageOf(api: Api, { alertId }: Pick<Alert, 'alertId'>): Promise<string> {
  const stopUrl = await signedLinks.manageUrl(api.ann.channelId);
  return new URL(createAlertLinks(stopUrl)?.pageUrl(alertId) ?? '').pathname;
}

/** Opens a page; its HTML has only our own markup, whatever the names in it. */
export async function openPage({ app }: Api, path: string): Promise<SeenPage> {
  return seen(await app.request(path));
}

/** Posts a form. */
export async function postForm(
  { app }: Api,
  path: string,
  fields: Record<string, string>,
): Promise<SeenPage> {
  const body = new URLSearchParams(fields);
  return seen(await app.request(path, { method: 'POST', body }));
}

/** Opens the page and presses the button of an act. */
export async function press(
  api: Api,
  path: string,
  act: string,
  more: Record<string, string> = {},
): Promise<SeenPage & { sent: Record<string, string> }> {
  const sent = { ...formOf(await openPage(api, path), act).fields, ...more };
  return { ...(await postForm(api, path, sent)), sent };
}

/** The form of an act. */
export function formOf({ forms, text }: SeenPage, act: string): LinkForm {
  const found = forms.find((form) => form.act === act);
  if (!found) throw new Error(`no button "${act}" on the page: ${text}`);
  return found;
}

export const actsOf = ({ forms }: SeenPage) => forms.map(({ act }) => act);

async function seen(response: Response): Promise<SeenPage> {
  const html = await response.text();
  expectOnlyOwnMarkup(html);
  const { status, headers } = response;
  return { status, headers, html, text: textOf(html), forms: formsIn(html) };
}
