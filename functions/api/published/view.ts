// What every view has.
import type { LoadHistory } from '#shared/dynamo/history.ts';
import type { Stores } from '#shared/dynamo/stores.ts';

export interface PublishedView {
  summary: string;
  /** The value of Content-Type. */
  type: string;
  /** The content for an owner; `now` is epoch milliseconds, `url` the view's own address. */
  write(
    deps: { stores: Stores; loadHistory: LoadHistory },
    asked: { ownerId: string; url: string; now: number },
  ): Promise<string>;
}
