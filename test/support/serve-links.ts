// Everything that messages link to, on a port of loopback: the API's pages and the charts, over the tables of a
// test's API.
import { answerRequest } from '#functions/chart/answer-request.ts';
import { loadRenderer } from '#functions/chart/render-png.ts';
import { createShowChart } from '#functions/chart/show-chart.ts';
import { createLinkReader, createLinks, type Links } from '#shared/delivery/links.ts';
import { type Api, linkSecret } from './api.ts';
import { type ServedApi, serveApi } from './serve-api.ts';

export interface ServedLinks extends ServedApi {
  /** Links that lead here. */
  links: Links;
}

export async function serveLinks(api: Api): Promise<ServedLinks> {
  const showChart = createShowChart({
    readLink: createLinkReader(linkSecret),
    findAlert: api.stores.alerts.find,
    findOwner: api.stores.access.findOwner,
    renderPng: await loadRenderer(),
  });
  const served = await serveApi(api, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, token] = /^\/c\/([^/]+)$/.exec(pathname) ?? [];
    if (token === undefined) return api.app.fetch(request);
    const asked = { path: { token }, query: Object.fromEntries(searchParams), wantsBody: true };
    const { status, headers, body } = await answerRequest(asked, { showChart, now: api.clock.now });
    return new Response(typeof body === 'string' ? body : Buffer.from(body ?? ''), {
      status,
      headers,
    });
  });
  return { ...served, links: createLinks(linkSecret, served.url) };
}
