// Quotas per owner, and the errors for requests above them.
import * as z from 'zod';
import type { CountedKind } from '#shared/dynamo/quotas.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { isValidAt } from '#shared/watchlist/api-key.ts';
import { problem } from './problem.ts';

/** The maximum of each kind for one owner. */
export type QuotaSizes = Record<Exclude<CountedKind, 'keys'>, number>;

/** Valid API keys of one owner: one for each program, and enough while all of them are rotated. */
const mostKeys = 50;

const rulesPerWatch = 5;

/** The quotas for this many watches per owner: the rule quota grows with it, the channel quota doesn't. */
export function quotasFor(watches: number): QuotaSizes {
  return { watches, rules: watches * rulesPerWatch, channels: 50 };
}

/** Enough for a season of every league, and few enough that one owner can't fill the tables. */
export const usualQuotas: QuotaSizes = quotasFor(10_000);

/** The deployment's setting: watches per owner. */
export const ownerWatchQuota = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of watches, 1 to 999999')
  .transform(Number);

interface QuotaDeps {
  stores: Pick<Stores, 'quotas' | 'watches' | 'channels' | 'apiKeys'>;
  /** @default usualQuotas */
  quotas?: QuotaSizes;
  now: () => number;
}

/** Why a thing above the quota is refused. */
export function quotaWords(kind: CountedKind, most: number): string {
  return `An owner can have at most ${groupThousands(most)} ${kind}; delete some first`;
}

/** Reserves and releases quota. @throws ProblemError when the quota is used up. */
export function createQuotas({ stores, quotas: sizes = usualQuotas, now }: QuotaDeps) {
  async function take(ownerId: string, kind: CountedKind, wanted: number): Promise<void> {
    if (wanted <= 0) return;
    const most = kind === 'keys' ? mostKeys : sizes[kind];
    const count = () => recount(stores, { ownerId, kind, now: now() });
    if (await stores.quotas.take({ ownerId, kind, now: now() }, { wanted, most }, count)) return;
    throw problem('quota-exceeded', quotaWords(kind, most), {
      members: { quota: kind, max: most },
    });
  }

  async function takeWatches(ownerId: string, watches: number, rules: number): Promise<void> {
    const [own, all] = await Promise.allSettled([
      take(ownerId, 'watches', watches),
      take(ownerId, 'rules', rules),
    ]);
    if (own.status === 'rejected') {
      if (all.status === 'fulfilled') await stores.quotas.give(ownerId, 'rules', rules);
      throw own.reason;
    }
    if (all.status === 'rejected') {
      await stores.quotas.give(ownerId, 'watches', watches);
      throw all.reason;
    }
  }

  async function giveWatches(ownerId: string, watches: number, rules: number): Promise<void> {
    await Promise.all([
      stores.quotas.give(ownerId, 'watches', watches),
      stores.quotas.give(ownerId, 'rules', rules),
    ]);
  }

  const takeWatch = (ownerId: string, rules: number) => takeWatches(ownerId, 1, rules);
  const giveWatch = (ownerId: string, rules: number) => giveWatches(ownerId, 1, rules);

  return {
    /** Quota for one watch with its rules. */
    takeWatch,
    giveWatch,
    /** Quota for several watches, and all of their rules. */
    takeWatches,
    giveWatches,
    /** Refuses a watch above the quota before the request costs anything. */
    async requireRoom(ownerId: string, rules: number): Promise<void> {
      await takeWatch(ownerId, rules);
      await giveWatch(ownerId, rules);
    },
    takeRules: (ownerId: string, rules: number) => take(ownerId, 'rules', rules),
    giveRules: (ownerId: string, rules: number) => stores.quotas.give(ownerId, 'rules', rules),
    takeChannel: (ownerId: string) => take(ownerId, 'channels', 1),
    giveChannel: (ownerId: string) => stores.quotas.give(ownerId, 'channels', 1),
    takeKey: (ownerId: string) => take(ownerId, 'keys', 1),
    giveKey: (ownerId: string) => stores.quotas.give(ownerId, 'keys', 1),
  };
}

export type Quotas = ReturnType<typeof createQuotas>;

async function recount(
  { watches, channels, apiKeys }: QuotaDeps['stores'],
  { ownerId, kind, now }: { ownerId: string; kind: CountedKind; now: number },
): Promise<number> {
  if (kind === 'channels') return (await channels.list(ownerId, { limit: 1_000 })).rows.length;
  if (kind === 'keys') {
    return (await apiKeys.listAll(ownerId)).filter((apiKey) => isValidAt(apiKey, now)).length;
  }
  const all = await watches.listAll(ownerId);
  return kind === 'watches' ? all.length : all.reduce((sum, { rules }) => sum + rules.length, 0);
}
