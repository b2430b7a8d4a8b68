// Limits how many messages to one owner's receivers are being sent at once, and allows few to a slow
// receiver. A message without a slot waits in the queue, so a slow receiver delays its own messages only.
// Plain values; the store writes them.
import type { Channel } from './channel.ts';
import { givenUrl, kindOf } from './channels/channels.ts';

/**
 * A slot expires at `until`, so the slot of a crashed sender becomes free. Times are epoch milliseconds.
 */
export interface Slot {
  receiver: string;
  from: number;
  until: number;
  /**
   * How long the receiver took for the last message in this slot, or longer if another slot's message took
   * longer meanwhile. Absent before the first message is done.
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

/** The smallest deployment sends ten batches at once, so four are left for other owners. */
export const slotsPerOwner = 6;
/** Enough to notice when a slow receiver becomes fast again. */
export const slotsOfSlowReceiver = 2;
const slowMs = 1_000;

/** How long a message waits for a slot. The longer wait for a slow receiver merges more messages. */
const waitMs = { quick: 1_000, slow: 5_000 };

export type SlotDecision =
  | { kind: 'take'; name: string; slot: Slot }
  | { kind: 'busy'; until: number };

/**
 * The receiver that a channel's messages use slots of: a webhook's host, which one owner's channels may
 * share; for a chat the channel, because all owners' messages go to the chat's host. Undefined for mail,
 * which SES takes.
 */
export function receiverOf({ channelId, target }: Channel): string | undefined {
  const { slotsOf } = kindOf(target);
  if (slotsOf === 'none') return undefined;
  const url = slotsOf === 'host' ? URL.parse(givenUrl(target)?.url ?? '') : null;
  return url === null ? channelId : `host ${url.host}`;
}

/** Takes a slot for a receiver until `until`, or says when to ask again. */
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
    // Prefer this receiver's slots, so the other receivers' speeds stay recorded. Among them take the slot
    // used longest ago, so that its recorded speed is renewed.
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

/** A slot that was taken. `release` never throws: if the write fails, the slot expires. */
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
