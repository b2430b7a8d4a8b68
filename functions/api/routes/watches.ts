// Watches: an owner's rules on events.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { ruleSchema } from '#shared/rules/rule.ts';
import { ruleSentence } from '#shared/rules/sentence.ts';
import { newWatchSchema, type Watch, watchStatuses } from '#shared/watchlist/watch.ts';
import { createAddWatch } from '../add-watch.ts';
import { type ApiDeps, createRouter } from '../app.ts';
import { pageJson, readPage } from '../page.ts';
import { createPresentState } from '../present-state.ts';
import { notFound } from '../problem.ts';

const watchJsonSchema = z
  .object({
    id: z.string(),
    event_id: z.int(),
    name: z.string().nullable(),
    status: z.enum(watchStatuses),
    rules: z.array(
      z.object({
        id: z.string(),
        sentence: z.string().meta({ description: 'The rule in plain English' }),
        rule: ruleSchema,
        currently_true: z.boolean().nullable().optional().meta({
          description:
            'In the answer to the creation: whether the rule is true at the newest snapshot, so that it alerts at once or, as it says, waits for a cross. Null while nothing is known of the event.',
        }),
      }),
    ),
    channels: z.array(z.string()),
    latency_seconds: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Watch' });

const create = createRoute({
  method: 'post',
  path: '/',
  summary: 'Watch an event',
  request: {
    body: { required: true, content: { 'application/json': { schema: newWatchSchema } } },
  },
  responses: {
    201: { description: 'The watch', content: { 'application/json': { schema: watchJsonSchema } } },
  },
});

/** Routes under /v1/watches. */
export function watchRoutes(deps: ApiDeps) {
  const { stores, now } = deps;
  const router = createRouter();
  const { loadHistory } = deps;
  const presentState = createPresentState({ stores, loadHistory });
  const addWatch = createAddWatch({ ...deps, presentState });
  const owned = async (watchId: string, ownerId: string) => {
    const watch = await stores.watches.find(watchId);
    if (watch?.ownerId !== ownerId) throw notFound('watch');
    return watch;
  };

  router.openapi(create, async (context) => {
    const { ownerId } = context.get('apiKey');
    const { watch, currentlyTrue } = await addWatch(ownerId, context.req.valid('json'), now());
    const json = watchJson(watch);
    const rules = json.rules.map((rule) => ({
      ...rule,
      currently_true: currentlyTrue.get(rule.id) ?? null,
    }));
    return context.json({ ...json, rules }, 201);
  });

  router.get('/', async (context) => {
    const page = readPage(context.req.query());
    return context.json(
      pageJson(await stores.watches.list(context.get('apiKey').ownerId, page), watchJson),
    );
  });

  router.get('/:id', async (context) =>
    context.json(watchJson(await owned(context.req.param('id'), context.get('apiKey').ownerId))),
  );

  router.delete('/:id', async (context) => {
    const watch = await owned(context.req.param('id'), context.get('apiKey').ownerId);
    await stores.watches.remove(watch.watchId);
    for (const { triggerIds } of watch.rules) {
      for (const triggerId of triggerIds) await stores.triggers.remove(triggerId);
    }
    return context.body(null, 204);
  });
  return router;
}

function watchJson(watch: Watch): z.infer<typeof watchJsonSchema> {
  return {
    id: watch.watchId,
    event_id: watch.eventId,
    name: watch.name ?? null,
    status: watch.status,
    rules: watch.rules.map(({ ruleId, rule }) => ({
      id: ruleId,
      sentence: ruleSentence(rule),
      rule,
    })),
    channels: watch.channelIds,
    latency_seconds: watch.latencySeconds,
    created_at: watch.createdAt,
    updated_at: watch.updatedAt,
  };
}
