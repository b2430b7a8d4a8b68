// Living messages in the Watchlist table. edit-marks.ts writes what a feed's evaluation knows of them.

import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import type { EpisodeState, LivingMessage } from '#shared/delivery/episodes/living-message.ts';
import { isExpired } from '#shared/retention.ts';
import type { RawItem } from './attribute-readings.ts';
import { isNoNumber, writeIf } from './conditional-write.ts';
import { createEditMarks } from './edit-marks.ts';
import type { EvaluationKey } from './evaluation-entity.ts';
import {
  createLivingMessageEntity,
  livingMessageReading,
  livingPartition,
  livingPrefix,
} from './living-message-entity.ts';
import { readAll, readPage } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** A page of a feed's living messages. */
export interface LivingPage {
  messages: LivingMessage[];
  /** Items that can't be parsed. */
  unreadable: RawItem[];
  /** Where the next page begins; absent at the end. */
  next?: string;
}

/** Reads and writes of living messages. */
export function createLivingMessageStore(table: WatchlistTable) {
  const living = createLivingMessageEntity(table);
  const reading = livingMessageReading(living);

  return {
    ...createEditMarks(table),

    /**
     * Makes a message the living one of its episode and channel.
     * @returns false when the message of a later alert is.
     */
    keep(message: LivingMessage): Promise<boolean> {
      return writeIf(() =>
        living
          .build(PutItemCommand)
          .item(message)
          .options({
            condition: {
              or: [
                isNoNumber('observedAt' as const),
                { attr: 'observedAt', lte: message.observedAt },
              ],
            },
          })
          .send(),
      );
    },

    /** A feed's living messages, at most `limit`; `now` is epoch milliseconds. */
    async list(
      { eventId, kind }: EvaluationKey,
      { after, limit, now }: { after?: string | undefined; limit: number; now: number },
    ): Promise<LivingPage> {
      const partition = livingPartition(eventId);
      const query = table
        .build(QueryCommand)
        .query({ partition, range: { beginsWith: livingPrefix(kind) } })
        .options({ limit, consistent: true });
      const startKey = after === undefined ? undefined : { pk: partition, sk: after };
      const { items, unreadable, lastKey } = await readPage(query, living, reading, startKey);
      const messages = items.filter((message) => !isExpired(message, now));
      return { messages, unreadable, ...(lastKey && { next: String(lastKey.sk) }) };
    },

    /** Begins an edit at `now` (epoch ms). @returns the message as written; undefined if it has changed. */
    async claim(message: LivingMessage, now: number): Promise<LivingMessage | undefined> {
      const claimed = { ...message, editedAt: now, version: message.version + 1 };
      const { editedAt, version } = claimed;
      const isClaimed = await change(message, { editedAt, version });
      return isClaimed ? claimed : undefined;
    },

    /** Records what a claimed message shows. @returns false if it has changed. */
    record(
      message: LivingMessage,
      { shows, failures }: { shows: EpisodeState; failures: number },
    ): Promise<boolean> {
      return change(message, { shows: $set(shows), failures, version: message.version + 1 });
    },

    /** Ends the life of a message. @returns false if it has changed. */
    remove(message: LivingMessage): Promise<boolean> {
      return writeIf(() =>
        living
          .build(DeleteItemCommand)
          .key(keyOf(message))
          .options({ condition: isUnchanged(message) })
          .send(),
      );
    },

    /** Removes items that can't be parsed. */
    async discard(items: readonly RawItem[]): Promise<void> {
      for (const { pk, sk } of items) await removeRaw(pk, sk);
    },

    /** Removes those of a watch. */
    async removeOf(eventId: number, watchId: string): Promise<void> {
      const query = table
        .build(QueryCommand)
        .query({ partition: livingPartition(eventId) })
        .options({ consistent: true });
      const all = await readAll(query, living, reading);
      for (const message of all.filter((each) => each.watchId === watchId)) {
        await living.build(DeleteItemCommand).key(keyOf(message)).send();
      }
    },
  };

  function change(message: LivingMessage, changes: object): Promise<boolean> {
    return writeIf(() =>
      living
        .build(UpdateItemCommand)
        .item({ ...keyOf(message), ...changes })
        .options({ condition: isUnchanged(message) })
        .send(),
    );
  }

  async function removeRaw(pk: unknown, sk: unknown): Promise<void> {
    const Key = { pk, sk };
    await table.getDocumentClient().send(new DeleteCommand({ TableName: table.getName(), Key }));
  }
}

function keyOf({ eventId, feedKind, triggerId, generation, channelId }: LivingMessage) {
  return { eventId, feedKind, triggerId, generation, channelId };
}

/** A message that another one has replaced has another receipt. */
function isUnchanged({ receipt, version }: LivingMessage) {
  return {
    and: [
      { attr: 'receipt' as const, eq: receipt },
      { attr: 'version' as const, eq: version },
    ],
  };
}

export type LivingMessageStore = ReturnType<typeof createLivingMessageStore>;
