// Channels: where an owner's alerts go.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { judgeUrl, type RefusalReason } from '#shared/alerts/outbound-address.ts';
import { createWebhookSecret } from '#shared/alerts/webhook.ts';
import {
  type Channel,
  type ChannelTarget,
  type NewChannel,
  newChannelSchema,
} from '#shared/watchlist/channel.ts';
import { newId } from '#shared/watchlist/id.ts';
import { type ApiDeps, createRouter } from '../app.ts';
import { pageJson, readPage } from '../page.ts';
import { notFound, ProblemError } from '../problem.ts';

const channelJsonSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['email', 'webhook']),
    address: z.string().optional(),
    host: z.string().optional().meta({ description: 'A webhook’s host; its URL is write-only' }),
    secret: z
      .string()
      .optional()
      .meta({ description: 'Shown once, in the answer to the creation' }),
    status: z.enum(['active', 'disabled']),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

const refusals: Record<RefusalReason, string> = {
  not_a_url: 'must be a URL',
  not_https: 'must begin with https://',
  has_credentials: 'must not carry a user name or password',
  port_not_allowed: 'must use port 443 or 8443',
  address_not_public: 'must lead to a public address',
};

const create = createRoute({
  method: 'post',
  path: '/',
  summary: 'Add a channel',
  request: {
    body: { required: true, content: { 'application/json': { schema: newChannelSchema } } },
  },
  responses: {
    201: {
      description: 'The channel',
      content: { 'application/json': { schema: channelJsonSchema } },
    },
  },
});

/** Routes under /v1/channels. */
export function channelRoutes({ stores, outbound, now }: ApiDeps) {
  const router = createRouter();
  const owned = async (channelId: string, ownerId: string) => {
    const channel = await stores.channels.find(channelId);
    if (channel?.ownerId !== ownerId) throw notFound('channel');
    return channel;
  };

  router.openapi(create, async (context) => {
    const target = targetOf(context.req.valid('json'));
    if (target.kind === 'webhook') {
      const judged = judgeUrl(target.url, outbound);
      if (typeof judged === 'string') throw refusedUrl(judged);
    }
    const channel: Channel = {
      channelId: newId('channel'),
      ownerId: context.get('apiKey').ownerId,
      target,
      status: 'active',
      createdAt: new Date(now()).toISOString(),
    };
    await stores.channels.create(channel);
    const secret = target.kind === 'webhook' ? { secret: target.secret } : {};
    return context.json({ ...channelJson(channel), ...secret }, 201);
  });

  router.get('/', async (context) => {
    const page = readPage(context.req.query());
    return context.json(
      pageJson(await stores.channels.list(context.get('apiKey').ownerId, page), channelJson),
    );
  });

  router.get('/:id', async (context) => {
    const channel = await owned(context.req.param('id'), context.get('apiKey').ownerId);
    return context.json(channelJson(channel));
  });

  router.delete('/:id', async (context) => {
    const channel = await owned(context.req.param('id'), context.get('apiKey').ownerId);
    await stores.channels.remove(channel.channelId);
    return context.body(null, 204);
  });
  return router;
}

function targetOf(wanted: NewChannel): ChannelTarget {
  if (wanted.kind === 'email') return wanted;
  return { kind: 'webhook', url: wanted.url, secret: createWebhookSecret() };
}

function channelJson({ channelId, target, status, createdAt }: Channel) {
  return {
    id: channelId,
    kind: target.kind,
    ...(target.kind === 'email' ? { address: target.address } : { host: new URL(target.url).host }),
    status,
    created_at: createdAt,
  };
}

function refusedUrl(reason: RefusalReason): ProblemError {
  const detail = refusals[reason];
  return new ProblemError(400, 'invalid-request', `url ${detail}`, [{ pointer: '#/url', detail }]);
}
