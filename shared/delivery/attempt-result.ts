// The data of one attempt: what was sent, how the send ended, and the result of the whole attempt.
import type { Channel } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { Delivery, LeftOut } from './delivery.ts';
import type { Told } from './prepare-message.ts';
import type { SendOutcome } from './send-outcome.ts';

/** A finished send that is not recorded yet. */
export interface Attempted {
  delivery: Delivery;
  channel: Channel;
  health: ChannelHealth | undefined;
  sent: SendOutcome;
  told: readonly Told[];
  leftOut: LeftOut[];
  /** Epoch milliseconds. */
  startedAt: number;
  endedAt: number;
}

export interface AttemptResult {
  outcome:
    | 'sent'
    | 'unconfirmed'
    | 'retry'
    | 'failed'
    | 'suppressed'
    | 'skipped'
    | 'put_off'
    | 'not_claimed';
  reason?: string | undefined;
  delivery?: Delivery;
  /** Our message was wrong, so the operator must see it. */
  isOurFault?: true;
  /** Of each alert that arrived and was promised: the time since its promise began, in milliseconds. */
  promisedDelaysMs?: number[];
}
