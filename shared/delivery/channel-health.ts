// The recent failures of a channel, and the decisions from them: when to pause it and when to switch it off.
// Plain values; the store writes them.

/** The failures of a channel since its last success. Times are epoch milliseconds. */
export interface ChannelHealth {
  channelId: string;
  failures?: number | undefined;
  failingSince?: number | undefined;
  lastReason?: string | undefined;
  /** The breaker is open until then: the receiver is not called. */
  openUntil?: number | undefined;
  /** Until when the receiver asked us to wait. */
  throttledUntil?: number | undefined;
  /** How many times in a row the receiver asked us to wait. */
  throttles?: number | undefined;
  /** When the receiver first answered as if it no longer existed. */
  perhapsGoneSince?: number | undefined;
  /** The last percentage in a notice to its owner. */
  noticed?: number | undefined;
}

/** Failures in a row that open the breaker. */
const failuresToOpen = 5;
const firstOpenMs = 30_000;
const longestOpenMs = 15 * 60_000;

/** How long the breaker stays open after a failure; 0 if it stays closed. */
export function openForMs({ failures = 0 }: ChannelHealth): number {
  if (failures < failuresToOpen) return 0;
  return Math.min(firstOpenMs * 2 ** (failures - failuresToOpen), longestOpenMs);
}

export type Admission =
  | { kind: 'go'; isProbe: boolean }
  | { kind: 'wait'; until: number; reason: 'breaker_open' | 'throttled' };

/**
 * Decides whether a channel may be called now. When an open breaker expires, the first call is a probe; the
 * caller must win the conditional write that claims the probe.
 */
export function decideAdmission(health: ChannelHealth | undefined, now: number): Admission {
  const { throttledUntil = 0, openUntil = 0 } = health ?? {};
  if (throttledUntil > now) return { kind: 'wait', until: throttledUntil, reason: 'throttled' };
  if (openUntil > now) return { kind: 'wait', until: openUntil, reason: 'breaker_open' };
  return { kind: 'go', isProbe: openUntil > 0 };
}

const firstThrottleMs = 5_000;
const longestThrottleMs = 10 * 60_000;

/** The wait after a throttle: the receiver's own, or else one that doubles each time in a row. */
export function throttleMs(throttlesBefore: number, askedMs: number | undefined): number {
  return askedMs ?? Math.min(firstThrottleMs * 2 ** throttlesBefore, longestThrottleMs);
}

/** A channel whose every message failed for this long is switched off. */
const disableAfterMs = 5 * 24 * 3_600_000;
/** One old failure alone does not prove that a receiver is down, so require several. */
const failuresToDisable = 5;

const marks = [100, 90, 70, 50] as const;
export type Mark = (typeof marks)[number];

/** The highest mark (percent of the time until switch-off) that is passed and not yet told to the owner. */
export function markToTell(health: ChannelHealth, now: number): Mark | undefined {
  const { failures = 0, failingSince = now, noticed = 0 } = health;
  if (failures < failuresToDisable) return undefined;
  const percent = ((now - failingSince) / disableAfterMs) * 100;
  return marks.find((mark) => percent >= mark && mark > noticed);
}

/** Teams flows answer 401 and 404 when their maker's account is deleted, but also briefly (channels.md). */
const goneConfirmedMs = 3_600_000;

/** Whether a channel has answered for at least an hour as if it no longer existed. */
export function isGone({ perhapsGoneSince }: ChannelHealth, now: number): boolean {
  return perhapsGoneSince !== undefined && now - perhapsGoneSince >= goneConfirmedMs;
}
