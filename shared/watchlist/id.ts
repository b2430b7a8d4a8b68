// Ids of the watchlist: a prefix for the kind, then a UUIDv7, so that ids sort by time.
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';

const prefixes = {
  owner: 'own',
  apiKey: 'key',
  channel: 'ch',
  watch: 'wat',
  rule: 'rul',
  trigger: 'trg',
  job: 'job',
  deletion: 'del',
} as const;
export type IdKind = keyof typeof prefixes;

/** A new id of a kind, such as `wat_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e`. */
export function newId(kind: IdKind): string {
  return `${prefixes[kind]}_${uuidv7().replaceAll('-', '')}`;
}

/**
 * Makes ids that are the same for the same seed and time (epoch ms), so a request that runs twice makes the
 * same items.
 */
export function idsFrom(seed: string, startedAt: number): (kind: IdKind) => string {
  let made = 0;
  return (kind) => {
    made += 1;
    const random = createHash('sha256').update(`${seed}/${made}`).digest().subarray(0, 16);
    return `${prefixes[kind]}_${uuidv7({ msecs: startedAt, random }).replaceAll('-', '')}`;
  };
}

/** When an id was made, epoch milliseconds: the first 48 bits of its UUIDv7. */
export function madeAt(id: string): number {
  const [, uuid = ''] = id.split('_');
  return Number.parseInt(uuid.slice(0, 12), 16);
}

/** The schema of an id of a kind, as a person may send it. */
export function idSchema(kind: IdKind) {
  const prefix = prefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`), `must be an id such as ${prefix}_…`);
}

/** No id of ours is longer, and DynamoDB refuses keys over 2,048 bytes. */
const mostIdBytes = 200;

/** Whether an item can have this id: DynamoDB refuses long keys, and UTF-8 changes lone surrogates. */
export function isStorableId(text: string): boolean {
  return text.isWellFormed() && Buffer.byteLength(text) <= mostIdBytes;
}
