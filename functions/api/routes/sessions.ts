// Sessions of the desk: an API key or a one-time link becomes a cookie, so that no page keeps a key.
import type * as z from 'zod';

import { isValidAt } from '#shared/watchlist/api-key.ts';
import { hashSecretToken } from '#shared/watchlist/secret-token.ts';
import { newSession, newSignInLink } from '#shared/watchlist/session.ts';
import type { ApiDeps } from '../api-deps.ts';
import { createAuthenticate } from '../authenticate.ts';
import { requireOwnPage } from '../conventions/same-origin.ts';
import { setSessionCookie } from '../credential.ts';
import { exampleIds } from '../document/example-ids.ts';
import { keyJson } from '../keys/key-json.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { problem } from '../problem.ts';
import {
  beginSessionSchema,
  sessionJsonSchema,
  signInLinkSchema,
} from '../sessions/session-json.ts';

const tag = 'Sessions';

/** Begin, read and end a session; make a link that begins one. */
export function sessionOperations(deps: ApiDeps): Operation[] {
  return [beginOperation(deps), currentOperation(), endOperation(deps), linkOperation(deps)];
}

function beginOperation({ stores, readAdminKey, now }: ApiDeps): Operation {
  const { apiKeys, sessions } = stores;
  const authenticate = createAuthenticate({ stores, readAdminKey, now });

  /** The key that the body names, itself or by a link. @throws ProblemError unless it is valid */
  async function keyOf(body: z.infer<typeof beginSessionSchema>) {
    const { key, link_token: token } = body;
    if (token === undefined) return (await authenticate({ kind: 'key', key })).apiKey;
    const link = await sessions.takeLink(hashSecretToken(token), now());
    const apiKey = link && (await apiKeys.findByHash(link.keyHash));
    if (!apiKey || !isValidAt(apiKey, now()))
      throw problem(
        'unauthorized',
        'This link was used before, is older than 15 minutes, or its key has ended',
      );
    return apiKey;
  }

  return defineOperation({
    method: 'post',
    path: '/v1/sessions',
    tag,
    summary: 'Sign a browser in',
    description:
      'Sets the cookie of a session, which stands for the key for 12 hours, until it signs out, or until the key ends. Only a page of this site may ask. Programs send the key itself.',
    access: 'public',
    body: beginSessionSchema,
    bodyExamples: {
      key: { summary: 'By an API key', value: { key: exampleIds.key } },
      link: { summary: 'By a one-time link', value: { link_token: exampleIds.signInLink } },
    },
    answer: {
      status: 201,
      description: 'The session; its cookie is set',
      schema: sessionJsonSchema,
    },
    refusals: [401, 403],
    handle: async ({ body, context }) => {
      requireOwnPage(context);
      const at = now();
      const apiKey = await keyOf(body);
      const { session, token } = newSession(apiKey.hash, at);
      await sessions.begin(session);
      setSessionCookie(context, token, Math.floor((session.expiresAt - at) / 1_000));
      return {
        headers: { 'cache-control': 'no-store' },
        body: { key: keyJson(apiKey), expires_at: new Date(session.expiresAt).toISOString() },
      };
    },
  });
}

function currentOperation(): Operation {
  return defineOperation({
    method: 'get',
    path: '/v1/sessions/current',
    tag,
    summary: 'Who asks',
    description: 'The key that the request is sent with, or whose session it is sent with.',
    access: 'read',
    answer: { status: 200, description: 'The key', schema: sessionJsonSchema },
    handle: async ({ context }) => {
      const session = context.get('session');
      return {
        body: {
          key: keyJson(context.get('apiKey')),
          expires_at: session ? new Date(session.expiresAt).toISOString() : null,
        },
      };
    },
  });
}

function endOperation({ stores: { sessions } }: ApiDeps): Operation {
  return defineOperation({
    method: 'delete',
    path: '/v1/sessions/current',
    tag,
    summary: 'Sign out',
    description:
      'Ends the session of the request and removes its cookie. A request with a key has none: 204 too.',
    // A session of a read key ends itself.
    access: 'read',
    answer: { status: 204, description: 'The session has ended' },
    handle: async ({ context }) => {
      const session = context.get('session');
      if (session) {
        await sessions.end(session.hash);
        setSessionCookie(context, '', 0);
      }
      return {};
    },
  });
}

function linkOperation({ stores: { sessions }, publicUrl }: ApiDeps): Operation {
  return defineOperation({
    method: 'post',
    path: '/v1/sign-in-links',
    tag,
    summary: 'Make a link that signs a browser in',
    description:
      'The link works once, within 15 minutes, with the scope of the key that asks: for your own phone, not for sharing.',
    access: 'read',
    answer: { status: 201, description: 'The link, shown once', schema: signInLinkSchema },
    handle: async ({ context, now }) => {
      const { link, token } = newSignInLink(context.get('apiKey').hash, now);
      await sessions.offerLink(link);
      return {
        body: {
          // After the #, so that no server and no log sees the token.
          url: `${publicUrl}/console/sign-in#${token}`,
          expires_at: new Date(link.expiresAt).toISOString(),
        },
      };
    },
  });
}
