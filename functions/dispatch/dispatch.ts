// Dispatch: claims the due feeds and sends each to the poll queue, once per slot. It takes
// no more than the marketplace's limits and the pull budget allow, most urgent first.

import type { BudgetStore } from '#shared/dynamo/budget.ts';
import type { FeedStore } from '#shared/dynamo/feeds.ts';
import type { MarketStateStore } from '#shared/dynamo/market-state.ts';
import { shardCount } from '#shared/dynamo/shard.ts';
import { QueueSendError, type SendMessages } from '#shared/lambda/queue-sender.ts';
import { type Budget, type Caps, reservationKey } from '#shared/polling/budget.ts';
import { orderByUrgency, ownersWithin } from '#shared/polling/dispatch-order.ts';
import type { Feed, PollMessage } from '#shared/polling/feed.ts';
import type { FeedKind } from '#shared/polling/feed-kinds.ts';
import {
  callsLeft,
  decideMarketAccess,
  type MarketAccess,
  noteRun,
  takeCalls,
  takenByRuns,
} from '#shared/polling/market-state.ts';
import type { ReadLimits, SpendingLimits } from '#shared/polling/read-limits.ts';
import { spreadRoom, waitsForRoom, withinRoom } from '#shared/polling/spread.ts';
import { timing } from '#shared/timing.ts';
import { inLanes } from './lanes.ts';

/** Feeds claimed and sent in one batch, and the number of parallel batches. */
const lotSize = 50;
const lotsAtOnce = 8;
/**
 * Writes that a lot has under way at once. All lots together stay at 24: the AWS SDK opens 50 sockets, and
 * a call that waits for a free one counts the wait against its connection timeout of one second.
 */
const writesPerLot = 3;

export interface DispatchResult {
  dispatched: number;
  /** Feeds that another run claimed, or that changed, since they were read. */
  lost: number;
  /** Due feeds left for later slots. */
  left: number;
  /** Why feeds were left. */
  held?: 'paused' | 'breaker_open' | 'rate_limited' | 'budget' | 'trial';
  /** Claimed feeds whose message was not accepted; their claims were released at once. */
  unsent: number;
}

interface DispatchDeps {
  feeds: Pick<FeedStore, 'due' | 'claim' | 'finishPoll'>;
  budget: Pick<BudgetStore, 'current' | 'reserve' | 'commitReservation'>;
  marketState: Pick<MarketStateStore, 'read' | 'change'>;
  readLimits: ReadLimits;
  sendToPoll: SendMessages;
}

interface Slot {
  kind: FeedKind;
  slot: string;
  now: number;
}

/** A feed before its claim, and the message for it. */
interface Claimed {
  feed: Feed;
  message: PollMessage;
}

/** What the messages of one run have in common, and when an earlier run left feeds because of the budget. */
interface Terms extends Pick<PollMessage, 'reservation' | 'trial'> {
  heldAt: number | undefined;
}

/**
 * The dispatch use case. `slot` is the schedule's own time: a second run of the same slot finds the
 * feeds claimed. Pulls reserved for feeds that it could not claim are released at once.
 */
export function createDispatch(deps: DispatchDeps) {
  return async function dispatch(
    kind: FeedKind,
    slot: string,
    now: number,
  ): Promise<DispatchResult> {
    const state = await deps.marketState.read();
    const gate = decideMarketAccess(state, kind, now);
    if (gate.kind === 'closed') return nothing(0, gate.reason);
    const limits = await deps.readLimits(now);
    const { due, others } = await readDue(deps, { kind, now, limits });
    if (others > 0) await noteHeldByBudget(deps, now);
    if (due.length === 0) return nothing(0);
    const { caps } = limits;
    const before = await deps.budget.current(now);
    const allowed = await takeFromWindows(deps, { kind, slot, now }, due, { budget: before, caps });
    const wanted = allowed.chosen.length;
    if (wanted === 0) return nothing(due.length, heldReasonOf(allowed));
    const reservation = reservationKey(now + timing.claimLeaseMs, kind);
    const within = { ...caps, daily: Math.min(caps.daily, allowed.dayMost) };
    const granted = await deps.budget.reserve({ key: reservation, wanted, caps: within }, now);
    if (granted < wanted && others === 0) await noteHeldByBudget(deps, now);
    if (granted === 0) return nothing(due.length, 'budget');
    const trial = allowed.gate.kind === 'trial' && { trial: true as const };
    const terms = { reservation, heldAt: state.budgetHeldAt, ...trial };
    const sent = await sendAll(deps, allowed.chosen.slice(0, granted), { kind, slot, now }, terms);
    const unused = granted - sent.claimed + sent.unsent;
    await deps.budget.commitReservation(reservation, { reserved: unused, spent: 0 });
    const held = granted < wanted ? 'budget' : heldReasonOf(allowed);
    return {
      dispatched: sent.claimed - sent.unsent,
      lost: granted - sent.claimed,
      left: due.length - granted,
      unsent: sent.unsent,
      ...(granted < due.length && { held }),
    };
  };
}

function nothing(left: number, held?: NonNullable<DispatchResult['held']>): DispatchResult {
  return { dispatched: 0, lost: 0, left, unsent: 0, ...(held && { held }) };
}

function heldReasonOf({ gate, isSpread }: Allowed): NonNullable<DispatchResult['held']> {
  if (gate.kind === 'closed') return gate.reason;
  if (isSpread) return 'budget';
  return gate.kind === 'trial' ? 'trial' : 'rate_limited';
}

/** Every due feed that an owner with budget left wants, most urgent first, and the number of other due feeds. */
async function readDue(
  deps: DispatchDeps,
  { kind, now, limits }: { kind: FeedKind; now: number; limits: SpendingLimits },
): Promise<{ due: Feed[]; others: number }> {
  const shards = await Promise.all(
    Array.from({ length: shardCount }, (_, shard) => deps.feeds.due(kind, shard, now)),
  );
  const all = shards.flat();
  const due = orderByUrgency(ownersWithin(all, limits), now);
  return { due, others: all.length - due.length };
}

/** So that a later poll of a feed that is left now knows why it came late. */
async function noteHeldByBudget({ marketState }: DispatchDeps, now: number): Promise<void> {
  await marketState.change((state) => ({ ...state, budgetHeldAt: now }));
}

/** The feeds that may be polled in this run. */
interface Allowed {
  gate: MarketAccess;
  chosen: readonly Feed[];
  /** Only the spread of a short budget keeps the others. */
  isSpread: boolean;
  /** The day's pulls may not pass this: a run of another kind may have taken from the same room since. */
  dayMost: number;
}

const none: Omit<Allowed, 'gate'> = { chosen: [], isSpread: false, dayMost: 0 };

/** Takes calls from their window, and notes what was taken before, in one write. */
async function takeFromWindows(
  deps: DispatchDeps,
  { kind, now }: Slot,
  due: readonly Feed[],
  { budget, caps }: { budget: Budget; caps: Caps },
): Promise<Allowed> {
  let result: Allowed = { gate: { kind: 'open' }, ...none };
  const { periodCommitted, dayCommitted } = budget;
  await deps.marketState.change((state) => {
    const gate = decideMarketAccess(state, kind, now);
    result = { gate, ...none };
    if (gate.kind === 'closed') return state;
    const taken = takenByRuns(state, periodCommitted, now);
    const room = spreadRoom(budget, caps, { taken, now });
    const held = { isShort: budget.pullPrice > 0, heldAt: state.budgetHeldAt };
    const within = withinRoom(due, room, (feed) => waitsForRoom(feed, held));
    const most = gate.kind === 'trial' ? 1 : callsLeft(state, kind, now);
    const chosen = within.slice(0, most);
    const together = held.isShort ? Math.max(room.pulls, chosen.length) : Number.POSITIVE_INFINITY;
    result = { gate, chosen, isSpread: within.length <= most, dayMost: dayCommitted + together };
    const isHeld = within.length < due.length;
    const after = isHeld ? { ...state, budgetHeldAt: now } : state;
    if (chosen.length === 0) return after;
    const calls = { calls: chosen.length, isTrial: gate.kind === 'trial', now };
    return takeCalls(noteRun(after, periodCommitted, now), kind, calls);
  });
  return result;
}

async function sendAll(
  deps: DispatchDeps,
  chosen: readonly Feed[],
  slot: Slot,
  terms: Terms,
): Promise<{ claimed: number; unsent: number }> {
  const total = { claimed: 0, unsent: 0 };
  const lots = Array.from({ length: Math.ceil(chosen.length / lotSize) }, (_, index) =>
    chosen.slice(index * lotSize, (index + 1) * lotSize),
  );
  await inLanes(lotsAtOnce, lots, async (lot) => {
    const claimed = await claimLot(deps, lot, slot, terms);
    total.claimed += claimed.length;
    const unsent = await sendLot(deps, claimed);
    total.unsent += unsent.length;
    await inLanes(writesPerLot, unsent, (each) => giveBack(deps, each));
  });
  return total;
}

async function claimLot(
  deps: DispatchDeps,
  lot: readonly Feed[],
  { slot, now }: Slot,
  { heldAt = 0, ...terms }: Terms,
): Promise<Claimed[]> {
  const claims = await inLanes(writesPerLot, lot, async (feed) => {
    const claim = `${slot}/${feed.nextPollAt}`;
    const isOurs = await deps.feeds.claim(feed, claim, now + timing.claimLeaseMs);
    const { eventId, kind } = feed;
    // It was due in that run and is due still, so that run left it.
    const held = (feed.nextPollAt ?? now) <= heldAt && { heldByBudget: true as const };
    return isOurs ? { feed, message: { eventId, kind, claim, ...terms, ...held } } : undefined;
  });
  return claims.filter((claimed) => claimed !== undefined);
}

/**
 * @returns the feeds whose messages were not accepted. A failed batch does not stop the next one. If
 * we can't tell which messages were accepted, all are returned: the message of a released claim is stale.
 */
async function sendLot(deps: DispatchDeps, claimed: readonly Claimed[]): Promise<Claimed[]> {
  try {
    await deps.sendToPoll(
      claimed.map(({ message }) => ({ body: message, group: String(message.eventId) })),
    );
    return [];
  } catch (error) {
    const places = error instanceof QueueSendError ? new Set(error.places) : new Set<number>();
    return places.size === 0 ? [...claimed] : claimed.filter((_, index) => places.has(index));
  }
}

/** Makes the feed due again at once, so that the next run takes it and does not wait minutes for its lease to expire. */
async function giveBack({ feeds }: DispatchDeps, { feed, message }: Claimed): Promise<void> {
  await feeds.finishPoll(feed, message.claim, {
    nextPollAt: feed.nextPollAt ?? 0,
    nextReason: feed.nextReason ?? 'due',
    failures: feed.failures,
    micropulls: 0,
    settles: false,
  });
}
