// Ids of the watchlist: a prefix that says the kind, and a UUIDv7 inside so that they sort by time.
import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';

const prefixes = {
  owner: 'own',
  apiKey: 'key',
  channel: 'ch',
  watch: 'wat',
  rule: 'rul',
  trigger: 'trg',
} as const;
export type IdKind = keyof typeof prefixes;

/** A new id of a kind, such as `wat_0193f0c2a7b97c0e8f0e4d1a2b3c4d5e`. */
export function newId(kind: IdKind): string {
  return `${prefixes[kind]}_${uuidv7().replaceAll('-', '')}`;
}

/** The schema of an id of a kind, as a person may send it. */
export function idSchema(kind: IdKind) {
  const prefix = prefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`), `must be an id such as ${prefix}_…`);
}
