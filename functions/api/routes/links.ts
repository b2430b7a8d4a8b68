// The pages behind the links in messages: confirm an address, stop or snooze. A GET shows a page and
// changes nothing, because mail scanners follow links; a POST acts. No key is needed: the link is signed.
import { type Context, Hono } from 'hono';
import type { ApiDeps } from '../api-deps.ts';
import { renderLinkPage } from '../channels/link-page.ts';
import { findPlace } from '../channels/link-place.ts';
import { deleted, notValid, presses } from '../channels/link-presses.ts';
import { createPressLink } from '../channels/press-link.ts';
import { pageOf } from '../channels/show-link.ts';

/** Routes under /l. */
export function linkRoutes(deps: Pick<ApiDeps, 'stores' | 'senders' | 'links' | 'now'>) {
  const router = new Hono();
  const pressLink = createPressLink(deps);

  router.get('/:token', async (context) => {
    const place = await findPlace(deps, context.req.param('token'), context.req.query('w'));
    if (!place) return context.html(renderLinkPage(notValid), 404);
    if (place === 'deleted') return context.html(renderLinkPage(deleted));
    return context.html(renderLinkPage(await pageOf(deps, place)));
  });

  router.post('/:token', async (context) => {
    const place = await findPlace(deps, context.req.param('token'), context.req.query('w'));
    if (!place) return context.html(renderLinkPage(notValid), 404);
    if (place === 'deleted') return context.html(renderLinkPage(deleted));
    const page = await pressLink(place, await readPress(context));
    return context.html(renderLinkPage(page), page === notValid ? 400 : 200);
  });

  return router;
}

/** The button that was pressed; '' for a body that is not a form. */
async function readPress({ req }: Context): Promise<string> {
  const form = await req.parseBody().catch(() => ({}) as Record<string, unknown>);
  return form['List-Unsubscribe'] === 'One-Click' ? presses.stopAll.act : String(form.do ?? '');
}
