// The pages behind the links in messages: confirm an address, stop or snooze, act on an alert. A GET shows a page and
// changes nothing, because mail scanners follow links; a POST acts. No key is needed: the link is signed.
import { type Context, Hono } from 'hono';
import { trimTrailingSlash } from 'hono/trailing-slash';
import type { ApiDeps } from '../api-deps.ts';
import { alertListPage, listAct } from '../links/alert-list-page.ts';
import { alertPage } from '../links/alert-page.ts';
import { type LinkPage, renderLinkPage } from '../links/link-page.ts';
import { findPlace, type Place } from '../links/link-place.ts';
import { deleted, notValid, noWatch, presses } from '../links/link-presses.ts';
import { createReadLinkedAlert } from '../links/linked-alert.ts';
import { isPageAct } from '../links/page-acts.ts';
import { pageHeaders } from '../links/page-headers.ts';
import type { Form } from '../links/plan-press.ts';
import { createPressAlert } from '../links/press-alert.ts';
import { createPressLink } from '../links/press-link.ts';
import { pageOf } from '../links/show-link.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

type LinkDeps = Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'loadHistory' | 'buyLinks' | 'now'>;

/** A page and its HTTP status. */
interface Answer {
  page: LinkPage;
  status: 200 | 400 | 404 | 409;
}

const none: Answer = { page: notValid, status: 404 };
const noButton: Answer = { page: notValid, status: 400 };

/** Routes under /l. */
export function linkRoutes(deps: LinkDeps, { changeWatch }: Pick<WatchlistUse, 'changeWatch'>) {
  const router = new Hono();
  const pressLink = createPressLink(deps);
  const pressAlert = createPressAlert(deps, changeWatch);
  const readLinkedAlert = createReadLinkedAlert(deps);

  async function show(place: Place, asked: string): Promise<Answer> {
    if ('link' in place) {
      const isList = asked === listAct && place.link.action === 'manage';
      const page = isList ? alertListPage(deps, place.channel) : pageOf(deps, place);
      return { page: await page, status: 200 };
    }
    const state = await readLinkedAlert(place, deps.now());
    return { page: alertPage(state, isPageAct(asked) ? { asked } : {}), status: 200 };
  }

  async function press(place: Place, form: Form): Promise<Answer> {
    const { do: act = '' } = form;
    if (!('link' in place)) return isPageAct(act) ? pressAlert(place, act, form) : noButton;
    const page = await pressLink(place, isOneClick(form) ? presses.stopAll.act : act);
    return { page, status: page === notValid || page === noWatch ? 400 : 200 };
  }

  async function answer(context: Context, then: (place: Place) => Promise<Answer>) {
    const token = context.req.param('token') ?? '';
    const place = await findPlace(deps, token, context.req.query('w'));
    const gone: Answer = { page: deleted, status: 200 };
    const { page, status } = place === 'deleted' ? gone : place ? await then(place) : none;
    return context.html(renderLinkPage(page), status);
  }

  // A person who copies a link by hand may add a slash.
  router.use(trimTrailingSlash());
  router.use(pageHeaders);
  router.get('/:token', (context) =>
    answer(context, (place) => show(place, context.req.query('do') ?? '')),
  );
  router.post('/:token', async (context) => {
    const form = await readForm(context);
    return answer(context, (place) => press(place, form));
  });

  return router;
}

/** RFC 8058: what a mail program posts instead of a button. */
function isOneClick(form: Form): boolean {
  return form['List-Unsubscribe'] === 'One-Click';
}

/** The text fields of a form; none for a body that is not a form. */
async function readForm({ req }: Context): Promise<Form> {
  const form = await req.parseBody().catch(() => ({}) as Record<string, unknown>);
  const texts = Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}
