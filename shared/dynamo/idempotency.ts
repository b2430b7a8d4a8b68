// Answers stored under an Idempotency-Key, so that a repeated POST gets the first answer. An item
// past its time counts as absent, whether or not the table's TTL has deleted it.

import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import { type FormattedValue, item, number, record, string } from 'dynamodb-toolbox/schema';
import { timing } from '#shared/timing.ts';
import { orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/**
 * `fingerprint` covers all of the request but its path; the caller encrypts `body`, because an answer
 * may contain a secret that is shown once. While `status` is absent the request is running,
 * until `leaseUntil` (epoch ms) at the latest. `startedAt` is when the first try began: with the
 * key it determines the ids of what is created, so that a second try creates nothing twice.
 */
const keptAnswerSchema = item({
  keyId: string().key(),
  route: string().key(),
  key: string().key(),
  fingerprint: string(),
  startedAt: number(),
  leaseUntil: number(),
  status: number().optional(),
  headers: record(string(), string()).optional(),
  body: string().optional(),
  expiresAtEpochSeconds: number(),
});

export type KeptAnswer = FormattedValue<typeof keptAnswerSchema>;
export type IdempotencyPlace = Pick<KeptAnswer, 'keyId' | 'route' | 'key'>;

/** One try of a request: it holds the key until `leaseUntil`, epoch ms. */
export type IdempotencyTry = IdempotencyPlace & Pick<KeptAnswer, 'leaseUntil'>;

/** When a try that starts at a time holds the key no longer. */
export function leaseFrom(now: number): number {
  return now + timing.requestLeaseMs;
}

/** How long an answer is stored: a day. */
export const keptAnswerSeconds = 86_400;

/** Reads and writes of stored answers. */
export function createIdempotencyStore(table: WatchlistTable) {
  const answers = new Entity({
    name: 'keptAnswer',
    table,
    timestamps: false,
    schema: keptAnswerSchema,
    computeKey: ({ keyId, route, key }) => ({
      pk: `IDEMPOTENCY#${keyId}`,
      sk: `${route}#${key}`,
    }),
  });

  /** A stored answer without status or body is unreadable, so both are required. */
  const reading = (place: IdempotencyPlace) =>
    leniently(answers, {
      ...{ keyId: orElse(place.keyId), route: orElse(place.route), key: orElse(place.key) },
      ...{ status: {}, body: {}, expiresAtEpochSeconds: orElse(Number.MAX_SAFE_INTEGER) },
    });

  return {
    /**
     * The stored answer, or the running request; undefined after a day.
     * @throws UnreadableItemError: we can't tell whether the request was carried out
     */
    async find(place: IdempotencyPlace, now: number): Promise<KeptAnswer | undefined> {
      const action = answers.build(GetItemCommand).key(place).options({ consistent: true });
      const found = await readOne(action, reading(place));
      return found && found.expiresAtEpochSeconds * 1_000 > now ? found : undefined;
    },

    /** Begins a request under a key. @returns false when the key is already in use. */
    begin(place: IdempotencyPlace, fingerprint: string, now: number): Promise<boolean> {
      return writeIf(() =>
        answers
          .build(PutItemCommand)
          .item({
            ...place,
            fingerprint,
            startedAt: now,
            leaseUntil: leaseFrom(now),
            expiresAtEpochSeconds: Math.ceil(now / 1_000) + keptAnswerSeconds,
          })
          .options({
            condition: {
              or: [
                { attr: 'fingerprint', exists: false },
                { attr: 'expiresAtEpochSeconds', lte: Math.floor(now / 1_000) },
              ],
            },
          })
          .send(),
      );
    },

    /** Takes over a request whose first try crashed. @returns false if it still runs, or another try took it over. */
    takeOver({ leaseUntil, ...dead }: KeptAnswer, now: number): Promise<boolean> {
      const { keyId, route, key } = dead;
      return writeIf(() =>
        answers
          .build(UpdateItemCommand)
          .item({ keyId, route, key, leaseUntil: leaseFrom(now) })
          .options({
            condition: {
              and: [
                { attr: 'status', exists: false },
                { attr: 'leaseUntil', eq: leaseUntil },
                { attr: 'leaseUntil', lte: now },
              ],
            },
          })
          .send(),
      );
    },

    /**
     * Stores the answer; later requests under the key get it.
     * @returns false when another try took the request over: its answer counts.
     */
    keep(
      { leaseUntil, ...place }: IdempotencyTry,
      answer: { status: number; headers: Record<string, string>; body: string },
    ): Promise<boolean> {
      return writeIf(() =>
        answers
          .build(UpdateAttributesCommand)
          .item({ ...place, ...answer })
          .options({ condition: { attr: 'leaseUntil', eq: leaseUntil } })
          .send(),
      );
    },

    /**
     * Releases a key whose request was refused or failed, so that the same request runs again.
     * @returns false when another try took the request over.
     */
    letGo({ leaseUntil, ...place }: IdempotencyTry, now: number): Promise<boolean> {
      return writeIf(() =>
        answers
          .build(UpdateItemCommand)
          .item({ ...place, leaseUntil: now })
          .options({
            condition: {
              and: [
                { attr: 'status', exists: false },
                { attr: 'leaseUntil', eq: leaseUntil },
              ],
            },
          })
          .send(),
      );
    },
  };
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;
