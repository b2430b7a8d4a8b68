// The items that a restored Watchlist table takes over from the table from before the restore: facts about what was sent
// and paid since the moment of the backup, and what people have stopped since. Pure.
import type { RawItem } from './attribute-readings.ts';

/** A condition on the restored item; without one the item of the witness is put in its place. */
export interface CarryRule {
  condition: string;
  values?: Record<string, unknown>;
  names?: Record<string, string>;
}

export const carriedKinds = [
  'alert',
  'decision',
  'delivery',
  'notice',
  'pull',
  'suppression',
] as const;
export type CarriedKind = (typeof carriedKinds)[number];

const ifAbsent: CarryRule = { condition: 'attribute_not_exists(pk)' };

interface CarryRow {
  isOfKind: (pk: string, sk: string) => boolean;
  /** The attribute with the time (epoch ms) of the fact; the first one that the item has. */
  at: readonly string[];
  rule: (raw: RawItem) => CarryRule;
}

const rows: Readonly<Record<CarriedKind, CarryRow>> = {
  alert: { isOfKind: (_, sk) => sk === 'ALERT', at: ['firedAt'], rule: () => ifAbsent },
  decision: {
    isOfKind: (pk, sk) => pk.startsWith('ALERT#') && sk.startsWith('CHANNEL#'),
    ...{ at: ['decidedAt'], rule: () => ifAbsent },
  },
  delivery: { isOfKind: (_, sk) => sk === 'DELIVERY', at: ['createdAt'], rule: () => ifAbsent },
  notice: {
    isOfKind: (_, sk) => sk === 'NOTICE',
    at: ['sentAt', 'createdAt'],
    // One that was sent since is not sent again.
    rule: ({ sentAt }) =>
      sentAt === undefined
        ? ifAbsent
        : { condition: 'attribute_not_exists(pk) OR attribute_not_exists(sentAt)' },
  },
  pull: {
    isOfKind: (pk, sk) => pk.startsWith('LEDGER#') && sk.startsWith('PULL#'),
    ...{ at: ['pulledAt'], rule: () => ifAbsent },
  },
  suppression: {
    isOfKind: (_, sk) => sk === 'SUPPRESSION',
    at: ['updatedAt'],
    rule: ({ updatedAt }) => ({
      condition: 'attribute_not_exists(pk) OR updatedAt < :updatedAt',
      values: { ':updatedAt': updatedAt },
    }),
  },
};

/** An item is written some time after the moment that it names. */
const writtenWithinMs = 5 * 60_000;

/** @returns undefined for an item that is no such fact, or is older than the backup (epoch ms) */
export function carriedItem(
  raw: RawItem,
  since: number,
): { kind: CarriedKind; rule: CarryRule } | undefined {
  const [pk, sk] = [String(raw.pk), String(raw.sk)];
  const kind = carriedKinds.find((each) => rows[each].isOfKind(pk, sk));
  if (kind === undefined) return undefined;
  const { at, rule } = rows[kind];
  const time = at.map((name) => raw[name]).find((value) => value !== undefined);
  return typeof time === 'number' && time > since - writtenWithinMs
    ? { kind, rule: rule(raw) }
    : undefined;
}

/** What somebody stopped: a key that was revoked, a channel whose reader wants no more messages. It stays stopped. */
export function stoppedAttribute({ sk, revokedAt, status }: RawItem): string | undefined {
  if (sk === 'APIKEY' && typeof revokedAt === 'string') return 'revokedAt';
  return sk === 'CHANNEL' && status === 'unsubscribed' ? 'status' : undefined;
}
