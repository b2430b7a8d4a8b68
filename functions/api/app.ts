// The watchlist API: its routes, its errors, and who may come in. Knows no Lambda.
import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import type { OutboundPolicy } from '#shared/alerts/outbound-address.ts';
import type { Logger } from '#shared/runtime/observability.ts';
import type { SendMessages } from '#shared/runtime/queue-sender.ts';
import type { LoadHistory } from '#shared/store/history.ts';
import type { Stores } from '#shared/store/stores.ts';
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import { createAuthenticate } from './authenticate.ts';
import { invalidRequest, ProblemError, renderProblem } from './problem.ts';
import { alertRoutes } from './routes/alerts.ts';
import { channelRoutes } from './routes/channels.ts';
import { eventRoutes, type SearchEvents } from './routes/events.ts';
import { watchRoutes } from './routes/watches.ts';

export interface ApiDeps {
  stores: Stores;
  loadHistory: LoadHistory;
  searchEvents: SearchEvents;
  sendNudges: SendMessages;
  readAdminKey: () => Promise<string>;
  outbound: OutboundPolicy;
  logger: Pick<Logger, 'error'>;
  now: () => number;
}

/** What every route behind the key finds in its context. */
export interface ApiEnv {
  Variables: { apiKey: ApiKey };
}

/** A watchlist with twenty rules is 10 KB of JSON; this leaves room for ten of them. */
const bodyLimitBytes = 100 * 1024;

/** A router whose validation faults come out as one problem with all of them. */
export function createRouter() {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(result.error);
    },
  });
}

/** The whole API; tests call `app.request()`. */
export function createApp(deps: ApiDeps) {
  const app = createRouter();
  const authenticate = createAuthenticate({
    access: deps.stores.access,
    readAdminKey: deps.readAdminKey,
    now: deps.now,
  });

  app.use(secureHeaders());
  app.use(
    bodyLimit({
      maxSize: bodyLimitBytes,
      onError: () => {
        throw new ProblemError(413, 'body-too-large', `A body may have ${bodyLimitBytes} bytes`);
      },
    }),
  );
  app.get('/v1/health', (context) => context.json({ status: 'ok' }));
  app.use('/v1/*', async (context, next) => {
    context.set('apiKey', await authenticate(context.req.header('authorization')));
    await next();
  });
  app.use('/v1/*', async (context, next) => {
    if (context.req.method === 'POST') requireJson(context.req.header('content-type'));
    await next();
  });
  app.route('/v1/channels', channelRoutes(deps));
  app.route('/v1/events', eventRoutes(deps));
  app.route('/v1/watches', watchRoutes(deps));
  app.route('/v1', alertRoutes(deps));

  app.notFound((context) =>
    renderProblem(new ProblemError(404, 'not-found', 'There is no such path'), context),
  );
  app.onError((error, context) => {
    if (!(error instanceof ProblemError)) deps.logger.error('request.failed', error);
    return renderProblem(error, context);
  });
  return app;
}

function requireJson(contentType: string | undefined): void {
  if (/^application\/json\s*(;|$)/i.test(contentType ?? '')) return;
  throw new ProblemError(
    415,
    'unsupported-media-type',
    'Send the body as JSON, with "Content-Type: application/json"',
  );
}
