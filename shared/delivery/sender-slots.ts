// How many messages an owner's receivers may hold in the senders at once: few for one that answers slowly.
// What finds no slot waits in the queue, so that a slow receiver delays its own messages and no other
// owner's. Plain values; the store writes them.
import type { Channel } from './channel.ts';
import { kindOf } from './channels/channels.ts';

/**
 * A slot is held until `until` has passed: a sender that died gives its slot back that way. Times are epoch
 * milliseconds.
 */
export interface Slot {
  receiver: string;
  from: number;
  until: number;
  /**
   * How long the receiver took for the last message in this slot, or the longest that it took in any slot
   * while this one is held. Absent before the first message is done.
   */
  tookMs?: number | undefined;
}

/** The slots of one owner. */
export interface SenderSlots {
  ownerId: string;
  /** By the slot's name. */
  slots: Record<string, Slot>;
  /** Grows with every write. */
  moves: number;
  expiresAtEpochSeconds: number;
}

/** The smallest deployment sends ten batches at once: four are left for other owners. */
export const slotsPerOwner = 6;
/** Enough to see when a slow receiver is quick again. */
export const slotsOfSlowReceiver = 2;
const slowMs = 1_000;

/** A quick receiver is asked again soon; messages that wait for a slow one are gathered for longer. */
const waitMs = { quick: 1_000, slow: 5_000 };

export type SlotDecision =
  | { kind: 'take'; name: string; slot: Slot }
  | { kind: 'busy'; until: number };

/**
 * The receiver whose slots a channel's messages use: a webhook's host, which channels of one owner may
 * share; a chat's channel, because everybody's messages go to the chat's host. Undefined for mail, which
 * SES takes.
 */
export function receiverOf({ channelId, target }: Channel): string | undefined {
  const { slotsOf } = kindOf(target);
  if (slotsOf === 'none') return undefined;
  return slotsOf === 'host' && 'url' in target && URL.canParse(target.url)
    ? `host ${new URL(target.url).host}`
    : channelId;
}

/** Decides about a slot for a receiver until `until`, and when to ask again where there is none. */
export function decideSlot(
  slots: SenderSlots['slots'],
  receiver: string,
  { now, until }: { now: number; until: number },
): SlotDecision {
  const own = Object.values(slots).filter((slot) => slot.receiver === receiver);
  const isHeld = (slot: Slot | undefined) => slot !== undefined && slot.until > now;
  const tookMs = Math.max(0, ...own.map((slot) => slot.tookMs ?? 0));
  const waitedMs = Math.max(0, ...own.map((slot) => (isHeld(slot) ? now - slot.from : 0)));
  const isSlow = Math.max(tookMs, waitedMs) > slowMs;
  const held = own.filter(isHeld).length;
  const free = Array.from({ length: slotsPerOwner }, (_, index) => `s${index}`)
    .filter((name) => !isHeld(slots[name]))
    // A slot of the same receiver first, since the others' remember how quick those are; of these the one
    // that was used longest ago, so that what they remember is renewed.
    .sort((a, b) => {
      const [one, other] = [slots[a], slots[b]];
      return rank(one, receiver) - rank(other, receiver) || (one?.from ?? 0) - (other?.from ?? 0);
    });
  const [name] = free;
  if (name === undefined || held >= (isSlow ? slotsOfSlowReceiver : slotsPerOwner)) {
    const stepMs = isSlow ? waitMs.slow : waitMs.quick;
    return { kind: 'busy', until: (Math.floor(now / stepMs) + 1) * stepMs };
  }
  const slot = { receiver, from: now, until, ...(tookMs > 0 && { tookMs }) };
  return { kind: 'take', name, slot };
}

function rank(slot: Slot | undefined, receiver: string): number {
  if (slot?.receiver === receiver) return 0;
  return slot === undefined ? 1 : 2;
}

/** A slot that was taken. Giving it back never fails: what can't be written expires by itself. */
export interface HeldSlot {
  kind: 'held';
  release: (now: number) => Promise<void>;
}

/** Takes a slot for a message to a channel at `now`, or says when to ask again (epoch ms). */
export type TakeSlot = (
  channel: Channel,
  now: number,
) => Promise<HeldSlot | { kind: 'busy'; until: number }>;

/** For channels that need no slot. */
export const noSlot: HeldSlot = { kind: 'held', release: async () => {} };
