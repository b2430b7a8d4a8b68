// What a request carries through the API: set by the conventions, read by the operations.
import type { ApiKey } from '#shared/watchlist/api-key.ts';
import type { IdKind } from '#shared/watchlist/id.ts';

/** A body as it came in; absent where there is none. */
export type SentBody = { type: 'json'; json: unknown } | { type: 'csv'; text: string };

export interface ApiEnv {
  Variables: {
    requestId: string;
    /** Behind a key only. */
    apiKey: ApiKey;
    body: SentBody | undefined;
    ifMatch: readonly string[] | undefined;
    newId: (kind: IdKind) => string;
  };
}
