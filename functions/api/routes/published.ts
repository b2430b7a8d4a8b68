// Links that programs read without a key: they are listed with a key, and opened without.
import * as z from 'zod';
import { isValidAt } from '#shared/watchlist/api-key.ts';
import type { ApiDeps } from '../api-deps.ts';
import { countRequest } from '../conventions/rate-limit.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { notFound } from '../problem.ts';
import { isView, viewNames, views } from '../published/views.ts';

const tag = 'Published links';

const listWords =
  'Addresses for programs that can’t send a key: `=IMPORTDATA(…)` of Google Sheets, Excel’s “From Web”, a calendar, a feed reader. Each shows one view of your watchlist to everybody who has it, and permits nothing else. The links belong to the key of this request and end with it: to withdraw them, revoke the key. So make a key for them alone, with the scope read.';

export const linksSchema = z
  .object({
    key_id: z.string().meta({ description: 'The key that the links belong to' }),
    data: z.array(
      z.object({
        view: z.enum(viewNames),
        summary: z.string(),
        url: z.url().meta({ description: 'Works without a key; keep it as secret as one' }),
      }),
    ),
  })
  .meta({ id: 'PublishedLinks' });

const params = z.object({
  token: z.string().meta({ description: 'From the link', examples: [exampleIds.publishedLink] }),
  view: z.string().meta({ description: viewNames.join(', '), examples: ['board.csv'] }),
});

/** Programs ask every few minutes; an answer may be repeated for so long. */
const cacheSeconds = 60;

/** list, open. */
export function publishedOperations(deps: ApiDeps): Operation[] {
  return [listOperation(deps), openOperation(deps)];
}

function listOperation({ published }: ApiDeps) {
  return defineOperation({
    method: 'get',
    path: '/v1/published-links',
    tag,
    summary: 'Links for spreadsheets, calendars and feed readers',
    description: listWords,
    access: 'read',
    answer: {
      status: 200,
      description: 'A link for each view',
      schema: linksSchema,
      isUncached: true,
    },
    handle: async ({ context }) => {
      const { keyId } = context.get('apiKey');
      const data = viewNames.map(async (view) => {
        return { view, summary: views[view].summary, url: await published.urlOf(view, keyId) };
      });
      return { body: { key_id: keyId, data: await Promise.all(data) } };
    },
  });
}

function openOperation(deps: ApiDeps) {
  const { stores, published, requestLimit } = deps;
  return defineOperation({
    method: 'get',
    path: '/p/{token}/{view}',
    tag,
    summary: 'Open a published link',
    description: 'The requests count as those of the key that the link belongs to.',
    access: 'public',
    params,
    answer: {
      status: 200,
      description: 'The view',
      types: [...new Set(viewNames.map((view) => views[view].type.replace(/;.*/, '')))],
    },
    refusals: [429],
    handle: async ({ params: { token, view }, now }) => {
      if (!isView(view)) throw notFound('published link');
      const link = await published.read(token, view);
      const apiKey = link && (await stores.apiKeys.find(link.keyId));
      if (!link || !apiKey || !isValidAt(apiKey, now)) throw notFound('published link');
      await countRequest({ counts: stores.requestCounts, limit: requestLimit }, link.keyId, now);
      const { type, write } = views[view];
      const url = await published.urlOf(view, link.keyId);
      const content = await write(deps, { ownerId: apiKey.ownerId, url, now });
      const headers = { 'cache-control': `private, max-age=${cacheSeconds}` };
      return { text: { type, content }, headers };
    },
  });
}
