// Notices in the Watchlist table, and the index of those not sent yet.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { number, string } from 'dynamodb-toolbox/schema';
import type { Notice } from '#shared/polling/notice.ts';
import { writeIf } from './conditional-write.ts';
import { noticeSchema } from './schemas/notice-schema.ts';
import { shardKey, shardOf } from './shard.ts';
import { fromKey, leniently, orElse, orMissing, readOne } from './stored-items.ts';
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
      unfinishedShard: string().optional(),
      nextAttemptAt: number().optional(),
    }),
    computeKey: ({ noticeId }) => ({ pk: `NOTICE#${noticeId}`, sk: 'NOTICE' }),
  });

  // Without its words or who it is for a notice can't be told: it is left out, and the operator learns of it.
  const reading = leniently(notices, {
    noticeId: fromKey('NOTICE#'),
    createdAt: orElse(0),
    expiresAtEpochSeconds: orElse(0),
  });

  return {
    /** @returns undefined also for one that can't be read. */
    find(noticeId: string): Promise<Notice | undefined> {
      const action = notices.build(GetItemCommand).key({ noticeId }).options({ consistent: true });
      return orMissing(readOne(action, reading));
    },

    /** @returns false when this was noticed before. */
    create(notice: Notice): Promise<boolean> {
      return writeIf(() =>
        notices
          .build(PutItemCommand)
          .item({
            ...notice,
            unfinishedShard: shardKey(unsent, shardOf(notice.noticeId)),
            nextAttemptAt: notice.createdAt,
          })
          .options({ condition: { attr: 'noticeId', exists: false } })
          .send(),
      );
    },

    /** Notices of one shard that are not sent, made before a time; `limit` at the most. */
    unsent(shard: number, before: number, limit: number): Promise<Notice[]> {
      const part = { name: unsent, shard, before, limit };
      return readUnfinished({ table, entity: notices }, part, reading);
    },

    /** Puts the next look at an unsent notice off. */
    async postpone(noticeId: string, nextAttemptAt: number): Promise<void> {
      await writeIf(() =>
        notices
          .build(UpdateItemCommand)
          .item({ noticeId, nextAttemptAt })
          .options({ condition: { attr: 'unfinishedShard', exists: true } })
          .send(),
      );
    },

    /** @returns false when it was sent before. */
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
