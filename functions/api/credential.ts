// What a request is sent with to say who asks: an API key, or the session of a browser.
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export type Credential =
  | { kind: 'key'; key: string | undefined }
  | { kind: 'session'; token: string };

/** With the prefix `__Host-`, by which browsers take it only from this host, and only if it is secure. */
const cookieName = 'getin';
const cookieOptions = { prefix: 'host', path: '/', secure: true, httpOnly: true } as const;

/** An Authorization header wins over a cookie: a program names its key, a browser sends cookies unasked. */
export function credentialOf(context: Context): Credential {
  const authorization = context.req.header('authorization');
  const token = authorization === undefined ? getCookie(context, cookieName, 'host') : undefined;
  return token === undefined
    ? { kind: 'key', key: bearerOf(authorization) }
    : { kind: 'session', token };
}

/** The text that only the sender of the request has. */
export function secretOf(context: Context): string {
  const credential = credentialOf(context);
  // "bearer" in any case, and more spaces, are the same Authorization header.
  return credential.kind === 'key' ? `Bearer ${credential.key ?? ''}` : credential.token;
}

/** Sets the session's cookie. @param maxAge in seconds; 0 removes it */
export function setSessionCookie(context: Context, token: string, maxAge: number): void {
  setCookie(context, cookieName, token, { ...cookieOptions, sameSite: 'Strict', maxAge });
}

/** The key in an Authorization header; undefined without one. The scheme's case doesn't matter (RFC 9110, 11.1). */
function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}
