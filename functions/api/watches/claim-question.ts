// The question that a watch asks: its event, name, rules and channels. A claim of it lets one watch at a time ask it.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchClaim } from '#shared/dynamo/watch-claims.ts';
import { timing } from '#shared/timing.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { questionOf } from '#shared/watchlist/watch-question.ts';
import type { NewWatch } from '#shared/watchlist/watch-request.ts';
import { type ProblemError, problem } from '../problem.ts';

/** Finds out whether another watch asks a question already. */
export function createQuestions({ watchClaims, watches }: Pick<Stores, 'watchClaims' | 'watches'>) {
  /** @throws ProblemError if the watch of an earlier claim asks the same, or is being made. */
  async function refuseDuplicate(claim: WatchClaim, before: WatchClaim): Promise<void> {
    if (before.watchId === claim.watchId) return;
    const watch = await watches.find(before.watchId);
    if (watch && asks(watch, claim)) throw duplicate(before.watchId);
    // The request behind an older claim has crashed: it made a watch, or restored a deleted one.
    const isRunning = claim.claimedAt - before.claimedAt < timing.requestLeaseMs;
    if (isRunning && mayBeMade(watch, before)) throw duplicate(before.watchId);
  }

  /** The refusal of a request whose claim another request took first. */
  async function lostTo(claim: WatchClaim): Promise<ProblemError> {
    const winner = await watchClaims.find(claim.ownerId, claim.question);
    return duplicate(winner?.watchId ?? claim.watchId);
  }

  return {
    refuseDuplicate,
    lostTo,

    /** Claims the question of a watch. @throws ProblemError if another watch asks it. */
    async claim(watch: Watch, now: number): Promise<WatchClaim> {
      const { ownerId, watchId } = watch;
      const claim = { ownerId, watchId, question: questionClaimedBy(watch), claimedAt: now };
      const before = await watchClaims.find(ownerId, claim.question);
      if (before) await refuseDuplicate(claim, before);
      if (await watchClaims.claim(claim, before)) return claim;
      const winner = await watchClaims.find(ownerId, claim.question);
      // Another request for the same watch took it.
      if (winner?.watchId === watchId) return winner;
      throw await lostTo(claim);
    },

    release: watchClaims.release,
  };
}

/**
 * Whether the request of a claim may still make its watch or restore it. A watch that was deleted after the claim
 * asks nothing any more: the deletion released the questions that it asked then, not that of an earlier name.
 */
function mayBeMade(watch: Watch | undefined, { claimedAt }: WatchClaim): boolean {
  if (!watch) return true;
  return watch.removedAt !== undefined && Date.parse(watch.removedAt) <= claimedAt;
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

/** The question that a watch claims when it is made. */
function questionClaimedBy(watch: Watch): string {
  const rules = watch.rules.map(({ rule }) => rule);
  const isByDefault = watch.inherits?.includes('channels') ?? false;
  const channelIds = isByDefault ? byDefault(watch.tags) : watch.channelIds;
  return questionOf({ ...watch, rules, channelIds });
}

/** The default channels, which the request does not name. */
function byDefault(tags: readonly string[] = []): string[] {
  return [`by default: ${tags.join(' ')}`];
}

/** The refusal of a watch that exists already. */
export function duplicate(watchId: string) {
  return problem(
    'duplicate-watch',
    `A watch on this event with the same rules and channels exists, ${watchId}; give one of the two another name if you want both`,
    { members: { watch_id: watchId } },
  );
}
