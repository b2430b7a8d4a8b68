/**
 * Cursors: opaque, signed, short-lived and bound to one request scope (api.md, Common pagination
 * rules 2, 3 and 5). Knows nothing of rows.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';
import { InvalidCursorError } from './errors.ts';

/** A place in an ordering: the sort key of the last row served. */
export type Position = readonly (number | string)[];

export interface Cursors {
  /** @param scope everything a continuation must repeat: account, endpoint, event, filters */
  issue(scope: string, position: Position): string;
  /** @throws InvalidCursorError when expired, unknown or issued for another scope. */
  read(scope: string, cursor: string): Position;
}

const signatureBytes = 16;

/**
 * The scope is only under the cursor's signature, not in the cursor. So a cursor of another scope
 * looks like an unknown one and leaks nothing.
 */
export function createCursors(o: { secret: string; now: Clock; lifetimeMs: number }): Cursors {
  const key = createSecretKey(Buffer.from(o.secret));
  const sign = (payload: string, scope: string): Buffer =>
    createHmac('sha256', key).update(`${payload}\n${scope}`).digest().subarray(0, signatureBytes);
  return {
    issue: (scope, position) => {
      const payload = JSON.stringify([o.now(), ...position]);
      return Buffer.concat([sign(payload, scope), Buffer.from(payload)]).toString('base64url');
    },
    read: (scope, cursor) => {
      const raw = Buffer.from(cursor, 'base64url');
      const payload = raw.subarray(signatureBytes).toString();
      const given = raw.subarray(0, signatureBytes);
      const known =
        given.length === signatureBytes &&
        timingSafeEqual(given, sign(payload, scope)) &&
        raw.toString('base64url') === cursor;
      if (!known) throw invalid('unknown, or issued for another event, endpoint or filter');
      const [issuedAt, ...position] = JSON.parse(payload) as [number, ...Position];
      if (o.now() - issuedAt >= o.lifetimeMs) throw invalid('expired');
      return position;
    },
  };
}

function invalid(why: string): InvalidCursorError {
  return new InvalidCursorError(`starting_after is ${why}; start the walk again`);
}
