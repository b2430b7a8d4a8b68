// One attempt in data: what was sent and how that ended, and what the attempt as a whole came to.
import type { Channel } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { Delivery, LeftOut } from './delivery.ts';
import type { SendOutcome } from './send-outcome.ts';

/** A send that has ended, and is not recorded yet. */
export interface Attempted {
  delivery: Delivery;
  channel: Channel;
  health: ChannelHealth | undefined;
  sent: SendOutcome;
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
  /** What we sent was at fault: the operator is to see it. */
  isOurFault?: true;
}
