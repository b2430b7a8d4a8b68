// Opens a watch for an owner, once per question and within the quota. Two requests for the same watch at the
// same time make one watch.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { WatchClaim } from '#shared/dynamo/watch-claims.ts';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { LookUpEvent } from '../events/look-up-event.ts';
import { invalidFaults, ProblemError, problem } from '../problem.ts';
import type { Quotas } from '../quotas.ts';
import type { AddedWatch, AddWatch, PlannedWatch, WantedWatch } from './add-watch.ts';
import { createQuestions, questionAskedBy } from './claim-question.ts';

interface OpenWatchDeps {
  stores: Pick<Stores, 'eventFacts' | 'watchClaims' | 'watches' | 'subscriptions'>;
  addWatch: AddWatch;
  quotas: Quotas;
  lookUpEvent: LookUpEvent;
}

/** A wanted watch; its event was resolved from another id, so it exists. */
export type WatchToOpen = WantedWatch & { isResolved?: boolean };

/** `isLookedUp`: nothing stored named the event before. */
export type OpenWatch = (toOpen: WatchToOpen) => Promise<AddedWatch & { isLookedUp: boolean }>;

/**
 * The use case.
 * @throws ProblemError as `AddWatch` and `LookUpEvent` do, for a watch that exists already, or above the quota.
 */
export function createOpenWatch({
  stores,
  addWatch,
  quotas,
  lookUpEvent,
}: OpenWatchDeps): OpenWatch {
  const { eventFacts, watchClaims, watches, subscriptions } = stores;
  const questions = createQuestions(stores);

  return async function openWatch(toOpen) {
    const { ownerId, wanted, now, makeId = newId } = toOpen;
    const watchId = makeId('watch');
    // The watch gets the claimed id; the further ids are made after it, in the same order as on a retry.
    const ids = (kind: IdKind) => (kind === 'watch' ? watchId : makeId(kind));
    const asked = questionAskedBy(wanted);
    const [ofAsked, stored, plan, facts] = await Promise.all([
      watchClaims.find(ownerId, asked),
      findOwnStored(watchId, ownerId),
      addWatch.plan({ ...toOpen, makeId: ids }),
      eventFacts.find(wanted.event_id),
    ]);
    // Asked with the event's own zone names, so that another case of a zone's name makes no second watch.
    const rules = plan.watch.rules.map(({ rule }) => rule);
    const question = questionAskedBy({ ...wanted, rules });
    const claim = { ownerId, question, watchId, claimedAt: now };
    const before = question === asked ? ofAsked : await watchClaims.find(ownerId, question);
    // An earlier try of this request stored the watch and crashed: its quota and its claim are taken.
    if (stored) {
      const ready = await addWatch.prepare(plan, stored);
      return { ...(await addWatch.finish(ready)), isLookedUp: false };
    }
    if (before) await questions.refuseDuplicate(claim, before);
    if (plan.faults.length > 0) throw invalidFaults(plan.faults);
    const isLookedUp = !toOpen.isResolved && !isKnown(plan, facts);
    const pulls = isLookedUp ? await lookUp(plan) : 0;
    const added = await reserve({ plan, claim, before });
    if (pulls > 0) await noteCost(added.watch, pulls, now);
    return { ...added, isLookedUp };
  };

  /** Every free check comes before the call, which may cost a pull. */
  async function lookUp(plan: PlannedWatch): Promise<number> {
    const { ownerId, eventId, rules } = plan.watch;
    const late = await plan.readLateFaults();
    if (late.length > 0) throw invalidFaults(late);
    await quotas.requireRoom(ownerId, rules.length);
    return (await lookUpEvent(eventId, ownerId, plan.now)).pulls;
  }

  async function noteCost({ eventId, watchId }: Watch, pulls: number, now: number): Promise<void> {
    const spent = { eventId, kind: metricsFeed, watchId, createdAt: now } as const;
    await subscriptions.noteSpent({ ...spent, micropulls: pulls * 1_000_000 });
  }

  /** Only a retry of a request has an id that may be stored. */
  async function findOwnStored(watchId: string, ownerId: string): Promise<Watch | undefined> {
    const watch = await watches.find(watchId);
    if (watch?.ownerId !== ownerId) return undefined;
    if (watch.removedAt === undefined) return watch;
    const detail =
      'The watch of this request was made and then deleted; restore it, or use a new Idempotency-Key';
    throw problem('conflict', detail, { members: { watch_id: watchId } });
  }

  /**
   * Takes the claim, the quota and the subscriptions in one round, because a refusal is rare here. If one of them is
   * refused, the others are taken back. After an unexpected error we cannot tell what was written, so the claim
   * stays until it expires.
   */
  async function reserve({ plan, claim, before }: Reservation): Promise<AddedWatch> {
    const { ownerId, rules } = plan.watch;
    const [claimed, quota, faults, prepared] = await Promise.allSettled([
      watchClaims.claim(claim, before),
      quotas.takeWatch(ownerId, rules.length),
      plan.readLateFaults(),
      addWatch.prepare(plan),
    ]);
    const refusal = quota.status === 'rejected' ? quota.reason : undefined;
    if (refusal !== undefined && !(refusal instanceof ProblemError)) throw refusal;
    const isClaimed = outcomeOf(claimed);
    const late = outcomeOf(faults);
    const ready = outcomeOf(prepared);
    if (isClaimed && refusal === undefined && late.length === 0) return addWatch.finish(ready);
    await Promise.all([
      isClaimed && watchClaims.release(claim),
      refusal === undefined && quotas.giveWatch(ownerId, rules.length),
      addWatch.withdraw(plan),
    ]);
    if (!isClaimed) throw await questions.lostTo(claim);
    throw refusal ?? invalidFaults(late);
  }
}

/** Whether something stored says that the event exists: its facts, a snapshot, or a feed that was polled. */
function isKnown({ present, subscriptions }: PlannedWatch, facts: EventFacts | undefined): boolean {
  if (facts || Object.values(present.newest).some((snapshot) => snapshot !== null)) return true;
  return subscriptions.some(
    ({ feed }) => feed && feed.status !== 'not_found' && feed.missing === undefined,
  );
}

interface Reservation {
  plan: PlannedWatch;
  claim: WatchClaim;
  /** The claim as it was read. */
  before: WatchClaim | undefined;
}

/** @throws the error of a step that failed. */
function outcomeOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
