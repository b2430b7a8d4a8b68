// The sending rate that SES last gave, in the Watchlist table: all senders share it, and one of them asks at a time.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, number, string } from 'dynamodb-toolbox/schema';
import { isStoredTime, optionalTime, orElse } from './attribute-readings.ts';
import { isStillOrNoNumber, writeIf } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Times are epoch milliseconds. */
export interface MailRate {
  /** Absent until SES has answered once. */
  mailsPerSecond?: number | undefined;
  answeredAt?: number | undefined;
  /** When a sender last asked SES, whether it answered or not; 0 before the first time. */
  askedAt: number;
}

const id = 'send_rate';

export function createMailRateStore(table: WatchlistTable) {
  const rates = new Entity({
    name: 'mailRate',
    table,
    timestamps: false,
    schema: item({
      id: string().key(),
      mailsPerSecond: number().optional(),
      answeredAt: number().optional(),
      askedAt: number(),
    }),
    computeKey: () => ({ pk: 'MAIL', sk: 'SEND_RATE' }),
  });
  const reading = leniently(rates, {
    id: orElse(id),
    mailsPerSecond: { otherwise: () => undefined, isReadable: (value) => Number(value) > 0 },
    answeredAt: optionalTime,
    askedAt: orElse(0, isStoredTime),
  });

  return {
    async read(): Promise<MailRate> {
      const action = rates.build(GetItemCommand).key({ id }).options({ consistent: true });
      return (await readOne(action, reading)) ?? { askedAt: 0 };
    },

    /** Takes it on to ask SES. @returns false when another sender has done so since `before` was read. */
    claimAsking({ askedAt }: MailRate, now: number): Promise<boolean> {
      const condition =
        askedAt === 0
          ? { or: [{ attr: 'id', exists: false } as const, isStillOrNoNumber('askedAt', askedAt)] }
          : isStillOrNoNumber('askedAt', askedAt);
      return writeIf(() =>
        rates.build(UpdateItemCommand).item({ id, askedAt: now }).options({ condition }).send(),
      );
    },

    /** Keeps what SES answered. */
    async keep(mailsPerSecond: number, now: number): Promise<void> {
      await rates
        .build(UpdateItemCommand)
        .item({ id, mailsPerSecond, answeredAt: now, askedAt: now })
        .send();
    },
  };
}

export type MailRateStore = ReturnType<typeof createMailRateStore>;
