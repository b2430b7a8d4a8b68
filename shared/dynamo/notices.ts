// Notices in the Watchlist table, and the index of unsent ones.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { number, string } from 'dynamodb-toolbox/schema';
import type { Notice } from '#shared/polling/notice.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { noticeSchema } from './schemas/notice-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { leniently, orMissing, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';
import { readUnfinished } from './unfinished.ts';

const unsent = 'notice';

/** Reads and writes of notices. */
export function createNoticeStore(table: WatchlistTable) {
  const notices = new Entity({
    name: 'notice',
    table,
    timestamps: false,
    schema: noticeSchema.and({
      ownerKey: string().optional(),
      ownerSort: string().optional(),
      unfinishedShard: string().optional(),
      nextAttemptAt: number().optional(),
    }),
    computeKey: ({ noticeId }) => ({ pk: `NOTICE#${noticeId}`, sk: 'NOTICE' }),
  });

  // A notice without its text or its owner can't be sent: it is left out and reported to the operator.
  const reading = leniently(notices, {
    noticeId: fromKey('NOTICE#'),
    createdAt: orElse(0),
    expiresAtEpochSeconds: orElse(0),
  });

  return {
    /** @returns undefined also for a notice that can't be parsed. */
    find(noticeId: string): Promise<Notice | undefined> {
      const action = notices.build(GetItemCommand).key({ noticeId }).options({ consistent: true });
      return orMissing(readOne(action, reading));
    },

    /** @returns false when this notice exists already. */
    create(notice: Notice): Promise<boolean> {
      return writeIf(() =>
        notices
          .build(PutItemCommand)
          .item({
            ...notice,
            ...(notice.ownerId !== undefined && {
              ownerKey: `${notice.ownerId}#notice`,
              ownerSort: `${new Date(notice.createdAt).toISOString()}#${notice.noticeId}`,
            }),
            unfinishedShard: shardKey(unsent, shardOf(notice.noticeId)),
            nextAttemptAt: notice.createdAt,
          })
          .options({ condition: { attr: 'noticeId', exists: false } })
          .send(),
      );
    },

    /** Unsent notices of one shard, created before a time; at most `limit`. */
    unsent(shard: number, before: number, limit: number): Promise<Notice[]> {
      const part = { name: unsent, shard, before, limit };
      return readUnfinished({ table, entity: notices }, part, reading);
    },

    /** Postpones the next look at an unsent notice. */
    async postpone(noticeId: string, nextAttemptAt: number): Promise<void> {
      await writeIf(() =>
        notices
          .build(UpdateItemCommand)
          .item({ noticeId, nextAttemptAt })
          .options({ condition: { attr: 'unfinishedShard', exists: true } })
          .send(),
      );
    },

    /** @returns false when it was already sent. */
    markSent(noticeId: string, sentAt: number): Promise<boolean> {
      return writeIf(() =>
        notices
          .build(UpdateItemCommand)
          .item({ noticeId, sentAt, unfinishedShard: $remove(), nextAttemptAt: $remove() })
          .options({ condition: { attr: 'unfinishedShard', exists: true } })
          .send(),
      );
    },
  };
}

export type NoticeStore = ReturnType<typeof createNoticeStore>;
