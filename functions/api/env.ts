// The values that a request carries through the API: conventions set them, operations read them.
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import type { IdKind } from '#shared/watchlist/id.ts';
import type { Session } from '#shared/watchlist/session.ts';

/** The request's body; absent if it has none. */
export type SentBody = { type: 'json'; json: unknown } | { type: 'csv'; text: string };

export interface ApiEnv {
  Variables: {
    requestId: string;
    /** Set only for operations that need a key. */
    apiKey: ApiKey;
    /** Set for a request that is sent with one. */
    session: Session | undefined;
    body: SentBody | undefined;
    ifMatch: readonly string[] | undefined;
    newId: (kind: IdKind) => string;
  };
}
