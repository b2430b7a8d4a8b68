// How a channel has been doing, and what follows: when it is left alone, when it is switched off. Plain
// values; the store writes them.

/** What went wrong on a channel since its last success. Times are epoch milliseconds. */
export interface ChannelHealth {
  channelId: string;
  failures?: number | undefined;
  failingSince?: number | undefined;
  lastReason?: string | undefined;
  /** The receiver is not called before then. */
  openUntil?: number | undefined;
  /** Until when the receiver asked us to wait. */
  throttledUntil?: number | undefined;
  /** How often in a row it did. */
  throttles?: number | undefined;
  /** When it first answered as if it were gone. */
  perhapsGoneSince?: number | undefined;
  /** The last percentage that its owner was told of. */
  noticed?: number | undefined;
}

/** Failures in a row after which a receiver is left alone for a while. */
const failuresToOpen = 5;
const firstOpenMs = 30_000;
const longestOpenMs = 15 * 60_000;

/** How long a receiver that just failed is left alone; 0 for not at all. */
export function openForMs({ failures = 0 }: ChannelHealth): number {
  if (failures < failuresToOpen) return 0;
  return Math.min(firstOpenMs * 2 ** (failures - failuresToOpen), longestOpenMs);
}

export type Admission =
  | { kind: 'go'; isProbe: boolean }
  | { kind: 'wait'; until: number; reason: 'breaker_open' | 'throttled' };

/**
 * Whether a channel may be called now. After an open breaker the first caller is a probe, which must
 * win the right to be it.
 */
export function decideAdmission(health: ChannelHealth | undefined, now: number): Admission {
  const { throttledUntil = 0, openUntil = 0 } = health ?? {};
  if (throttledUntil > now) return { kind: 'wait', until: throttledUntil, reason: 'throttled' };
  if (openUntil > now) return { kind: 'wait', until: openUntil, reason: 'breaker_open' };
  return { kind: 'go', isProbe: openUntil > 0 };
}

const firstThrottleMs = 5_000;
const longestThrottleMs = 10 * 60_000;

/** The wait after a throttle: what the receiver asked for, else longer each time in a row. */
export function throttleMs(throttlesBefore: number, askedMs: number | undefined): number {
  return askedMs ?? Math.min(firstThrottleMs * 2 ** throttlesBefore, longestThrottleMs);
}

/** A channel that did nothing but fail for this long is switched off. */
const disableAfterMs = 5 * 24 * 3_600_000;
/** One failure and a long silence say little about a receiver. */
const failuresToDisable = 5;

const marks = [100, 90, 70, 50] as const;
export type Mark = (typeof marks)[number];

/** The mark on the way to being switched off that has been passed and not yet been told of. */
export function markToTell(health: ChannelHealth, now: number): Mark | undefined {
  const { failures = 0, failingSince = now, noticed = 0 } = health;
  if (failures < failuresToDisable) return undefined;
  const percent = ((now - failingSince) / disableAfterMs) * 100;
  return marks.find((mark) => percent >= mark && mark > noticed);
}

/** Teams flows answer 401 and 404 when their maker's account goes, but also for a moment (channels.md). */
const goneConfirmedMs = 3_600_000;

/** Whether a channel that answered as if it were gone did so an hour ago as well. */
export function isGone({ perhapsGoneSince }: ChannelHealth, now: number): boolean {
  return perhapsGoneSince !== undefined && now - perhapsGoneSince >= goneConfirmedMs;
}
