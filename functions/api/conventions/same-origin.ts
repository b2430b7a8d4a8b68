// Refuses what another site makes a browser do with its session. The cookie is SameSite=Strict; this holds also
// against another host of the same site.
import type { Context } from 'hono';
import { problem } from '../problem.ts';

const reading = ['GET', 'HEAD'];

/**
 * For a request with a session, or one that begins a session.
 * @throws ProblemError for a write that a page of ours did not send. Every browser that the desk supports sends
 *   Sec-Fetch-Site.
 */
export function requireOwnPage({ req }: Context): void {
  if (reading.includes(req.method) || req.header('sec-fetch-site') === 'same-origin') return;
  throw problem(
    'forbidden',
    'A session can change things only from a page of this site; a program sends "Authorization: Bearer getin_…"',
  );
}
