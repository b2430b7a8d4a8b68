// Opens a watch for an owner, once per question and within the quota. Two requests for the same watch at the
// same time make one watch.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchClaim } from '#shared/dynamo/watch-claims.ts';
import { spellZones, zonesOf } from '#shared/rules/language/zone-names.ts';
import { timing } from '#shared/timing.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import { type NewWatch, questionOf, type Watch } from '#shared/watchlist/watch.ts';
import { ProblemError, problem } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import type { AddedWatch, AddWatch, WantedWatch } from './add-watch.ts';
import type { PresentStateReader } from './present-state.ts';

interface OpenWatchDeps {
  stores: Pick<Stores, 'watchClaims' | 'watches'>;
  readZones: PresentStateReader['zones'];
  addWatch: AddWatch;
  quotas: Quotas;
}

export type OpenWatch = (wish: WantedWatch) => Promise<AddedWatch>;

/**
 * The use case.
 * @throws ProblemError as `AddWatch` does, for a watch that exists already, or above the quota.
 */
export function createOpenWatch(deps: OpenWatchDeps): OpenWatch {
  const { readZones, addWatch, quotas } = deps;
  const { watchClaims, watches } = deps.stores;

  return async function openWatch(asked) {
    const wish = { ...asked, wanted: await spellZonesOf(asked.wanted) };
    const { ownerId, wanted, now, makeId = newId } = wish;
    const watchId = makeId('watch');
    const question = questionAskedBy(wanted);
    const claim = { ownerId, question, watchId, claimedAt: now };
    await stake(claim, await watchClaims.find(ownerId, question));
    try {
      return await withinQuota(wish, watchId, makeId);
    } catch (error) {
      // After an unexpected error we cannot tell what was written, so the claim stays until it expires.
      if (error instanceof ProblemError) await watchClaims.release(claim);
      throw error;
    }
  };

  /** Before the question is claimed, so that another case of a zone's name makes no second watch. */
  async function spellZonesOf(wanted: NewWatch): Promise<NewWatch> {
    if (wanted.rules.every((rule) => zonesOf(rule).length === 0)) return wanted;
    const zones = await readZones(wanted.event_id);
    return { ...wanted, rules: wanted.rules.map((rule) => spellZones(rule, zones)) };
  }

  async function withinQuota(
    wish: WantedWatch,
    watchId: string,
    makeId: (kind: IdKind) => string,
  ): Promise<AddedWatch> {
    const { ownerId, wanted } = wish;
    await quotas.takeWatch(ownerId, wanted.rules.length);
    try {
      // The watch gets the claimed id; the further ids are made after it, in the same order as on a retry.
      const ids = (kind: IdKind) => (kind === 'watch' ? watchId : makeId(kind));
      return await addWatch({ ...wish, makeId: ids });
    } catch (error) {
      if (error instanceof ProblemError) await quotas.giveWatch(ownerId, wanted.rules.length);
      throw error;
    }
  }

  async function stake(claim: WatchClaim, before: WatchClaim | undefined): Promise<void> {
    if (before && before.watchId !== claim.watchId) {
      const watch = await watches.find(before.watchId);
      if (watch && asks(watch, claim)) throw duplicate(before.watchId);
      // The request that made an older claim without a watch has crashed.
      if (!watch && claim.claimedAt - before.claimedAt < timing.requestLeaseMs) {
        throw duplicate(before.watchId);
      }
    }
    if (await watchClaims.claim(claim, before)) return;
    const winner = await watchClaims.find(claim.ownerId, claim.question);
    throw duplicate(winner?.watchId ?? claim.watchId);
  }
}

/** Whether the watch exists and still asks the claimed question. */
function asks(watch: Watch, { ownerId, question }: WatchClaim): boolean {
  if (watch.ownerId !== ownerId || watch.removedAt !== undefined) return false;
  return questionsOf(watch).includes(question);
}

/** The question of a new watch; its claim refuses a second watch with the same question. */
export function questionAskedBy(wanted: NewWatch): string {
  return questionOf({
    eventId: wanted.event_id,
    name: wanted.name,
    rules: wanted.rules,
    channelIds: wanted.channels ?? byDefault(wanted.tags),
  });
}

/** The questions that a watch may have claimed: with named channels, and with the default channels. */
export function questionsOf(watch: Watch): string[] {
  const rules = watch.rules.map(({ rule }) => rule);
  return [watch.channelIds, byDefault(watch.tags)].map((channelIds) =>
    questionOf({ ...watch, rules, channelIds }),
  );
}

/** The default channels, which the request does not name. */
function byDefault(tags: readonly string[] = []): string[] {
  return [`by default: ${tags.join(' ')}`];
}

function duplicate(watchId: string) {
  return problem(
    'duplicate-watch',
    'A watch on this event with the same rules and channels exists; give this one another name if you want both',
    { members: { watch_id: watchId } },
  );
}
