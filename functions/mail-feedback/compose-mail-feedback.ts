// Builds mail-feedback from stores and queues: for the function and for tests.
import {
  alerts,
  channelHealth,
  channels,
  deliveries,
  suppressions,
  watches,
} from '#shared/dynamo/store-list.ts';
import type { StoresOf } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from '#shared/lambda/channel-senders.ts';
import { composeFallBack } from '#shared/lambda/compose-fallback.ts';
import { composeSwitchOff } from '#shared/lambda/compose-switch-off.ts';
import { createMailFeedback, type OnVerdict } from './mail-feedback.ts';

/** The stores that mail-feedback uses. */
export const mailFeedbackStores = {
  alerts,
  channelHealth,
  channels,
  deliveries,
  suppressions,
  watches,
};

interface MailFeedbackParts {
  stores: StoresOf<typeof mailFeedbackStores>;
  senders: ChannelSenders;
  onVerdict: OnVerdict;
}

/** @returns the use case that handles one message, over these stores and queues. */
export function composeMailFeedback({ stores, senders, onVerdict }: MailFeedbackParts) {
  const { suppressions, channels, deliveries } = stores;
  return createMailFeedback({
    suppressions,
    channels,
    deliveries,
    fallBack: composeFallBack({ stores, senders }),
    switchOff: composeSwitchOff({ stores, senders }).switchOff,
    onVerdict,
  });
}
