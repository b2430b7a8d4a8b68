// Who needed a call, as its row of the ledger says, and the part of its cost that each of them has. The cost is
// divided equally over the watches that needed the call; an owner's part is the sum of its watches' parts. The ids
// are hashed: the ledger is kept for more than a year, and must hold nothing of an owner who deletes all data.
import { createHash } from 'node:crypto';
import type { Subscription } from './subscription.ts';

/**
 * By the hash of the owner's id: the hashes of its watches, or only their number if there were too many. No
 * watch stands for a call that the owner asked for itself.
 */
export type PullSharers = Record<string, string[] | number>;

/** A row names at most this many watches, and this many owners: less than 100 KB. */
const mostWatches = 500;
const mostOwners = 4_000;
const hashLength = 12;

/** The hash of an owner's or a watch's id: 72 bits of SHA-256. */
export function sharerOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, hashLength);
}

/** Who needed a call; undefined if they are too many to be named. */
export function sharersOf(
  wanting: readonly Pick<Subscription, 'ownerId' | 'watchId'>[],
): PullSharers | undefined {
  const byOwner = Map.groupBy(wanting, ({ ownerId }) => ownerId);
  if (byOwner.size > mostOwners) return undefined;
  const areNamed = wanting.length <= mostWatches;
  const rows = [...byOwner].map(([ownerId, own]) => {
    const watches = areNamed ? own.map(({ watchId }) => sharerOf(watchId)) : own.length;
    return [sharerOf(ownerId), watches] as const;
  });
  return Object.fromEntries(rows);
}

/** A call that an owner asked for itself. */
export function askedBy(ownerId: string): PullSharers {
  return { [sharerOf(ownerId)]: [] };
}

/** One part of a call's cost. */
export interface PullPart {
  owner: string;
  /** Null for a call that the owner asked for itself, and for watches that the row does not name. */
  watch: string | null;
  isOwnCall: boolean;
  micropulls: number;
}

/**
 * The parts of a call, whose sum is exactly its cost: what can't be divided goes to the first by their hashes.
 * @returns none if nobody is known to have needed it.
 */
export function partsOf({
  pulls,
  sharers = {},
}: {
  pulls: number;
  sharers?: PullSharers | undefined;
}): PullPart[] {
  const owners = Object.entries(sharers).sort(([a], [b]) => (a < b ? -1 : 1));
  const total = owners.reduce((sum, [, watches]) => sum + weightOf(watches), 0);
  if (total === 0) return [];
  const micropulls = Math.round(pulls * 1_000_000);
  const share = Math.floor(micropulls / total);
  let left = micropulls - share * total;
  /** The cost of the next `weight` equal parts. */
  const take = (weight: number) => {
    const more = Math.min(left, weight);
    left -= more;
    return share * weight + more;
  };
  return owners.flatMap(([owner, watches]): PullPart[] => {
    if (typeof watches === 'number' || watches.length === 0) {
      const isOwnCall = typeof watches !== 'number';
      return [{ owner, watch: null, isOwnCall, micropulls: take(weightOf(watches)) }];
    }
    const sorted = watches.toSorted();
    return sorted.map((watch) => ({ owner, watch, isOwnCall: false, micropulls: take(1) }));
  });
}

/** An owner's own call is one part. */
function weightOf(watches: string[] | number): number {
  return typeof watches === 'number' ? watches : Math.max(1, watches.length);
}

/** Whether a stored value has this form. */
export function areSharers(value: unknown): value is PullSharers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (watches: unknown) =>
      (Number.isSafeInteger(watches) && Number(watches) > 0) ||
      (Array.isArray(watches) && watches.every((watch) => typeof watch === 'string')),
  );
}
