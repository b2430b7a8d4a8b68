// Handles bounces and complaints: an address that bounces permanently, or whose reader complained, gets no more
// mail, and the channel that the mail went to is disabled at once. Repeated feedback counts once.

import type { Channel } from '#shared/delivery/channel.ts';
import type { FallBack } from '#shared/delivery/fallback.ts';
import {
  feedbackTime,
  judgeMailEvent,
  mailOf,
  readMailEvent,
  type Verdict,
} from '#shared/delivery/mail-event.ts';
import { storableChannelTitle } from '#shared/delivery/message/channel-title.ts';
import { blockedNotice } from '#shared/delivery/message/message-kinds.ts';
import {
  type Suppression,
  sameAddress,
  suppressedFailure,
  suppressionReason,
} from '#shared/delivery/suppression.ts';
import type { SwitchOff } from '#shared/delivery/switch-off.ts';
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { DeliveryStore } from '#shared/dynamo/deliveries.ts';
import type { SuppressionStore } from '#shared/dynamo/suppressions.ts';

interface MailFeedbackDeps {
  suppressions: Pick<SuppressionStore, 'suppress' | 'countSoftBounce' | 'find'>;
  channels: Pick<ChannelStore, 'find'>;
  deliveries: Pick<DeliveryStore, 'find'>;
  fallBack: FallBack;
  switchOff: SwitchOff;
  onVerdict: OnVerdict;
}

/** Called with each verdict; a verdict contains no address. */
export type OnVerdict = (verdict: { kind: Verdict['kind']; reason: string }) => void;

/** The mail that an event is about. */
type Mail = ReturnType<typeof mailOf>;
type AboutAddress = Exclude<Verdict, { kind: 'none' }>;

/**
 * The use case that handles one queue message; `now` is epoch milliseconds.
 * @throws NoMailEventError for a message that is not an SES event.
 */
export function createMailFeedback(deps: MailFeedbackDeps) {
  const { suppressions } = deps;

  return async function mailFeedback(message: unknown, now: number): Promise<void> {
    const event = readMailEvent(message);
    for (const verdict of judgeMailEvent(event)) {
      const reason = await carryOut(verdict, feedbackTime(event, now));
      if (verdict.kind !== 'none') await followUp(verdict, mailOf(event), now);
      deps.onVerdict({ kind: verdict.kind, reason });
    }
  };

  /** @param at when the mailbox answered; answers from before a lift don't count. */
  async function carryOut(verdict: Verdict, at: number): Promise<string> {
    if (verdict.kind === 'none') return verdict.reason;
    if (verdict.kind === 'suppress') {
      await suppressions.suppress(verdict.address, verdict.reason, at);
      return verdict.reason;
    }
    const { address, feedbackId } = verdict;
    const isTooMany = await suppressions.countSoftBounce(address, feedbackId, at);
    return isTooMany ? 'soft_bounces' : 'soft_bounce';
  }

  /** Except after a complaint, the alerts go to the fallback; a suppressed address disables its channel. */
  async function followUp(
    verdict: AboutAddress,
    { channelId, deliveryId }: Mail,
    now: number,
  ): Promise<void> {
    const channel = channelId === undefined ? undefined : await deps.channels.find(channelId);
    if (!channel || !isAddressOf(channel, verdict.address)) return;
    const hasArrived = verdict.kind === 'suppress' && verdict.reason === 'complaint';
    if (deliveryId !== undefined && !hasArrived) await fallBack(deliveryId, channel, now);
    const suppression = await suppressions.find(verdict.address);
    if (suppression?.isSuppressed) await switchOff(channel, suppression, now);
  }

  async function fallBack(deliveryId: string, channel: Channel, now: number): Promise<void> {
    const delivery = await deps.deliveries.find(deliveryId);
    if (delivery?.channelId === channel.channelId) await deps.fallBack(delivery, channel, now);
  }

  /** A channel that is already disabled or unsubscribed stays as it is, and its owner gets no notice. */
  async function switchOff(channel: Channel, found: Suppression, now: number): Promise<void> {
    if (channel.status !== 'active' && channel.status !== 'unverified') return;
    const notice = blockedNotice(storableChannelTitle(channel), suppressionReason(found));
    await deps.switchOff(channel, { reason: suppressedFailure(found), notice, now });
  }
}

/** The channel's address may have changed since the mail was sent. */
function isAddressOf({ target }: Channel, address: string): boolean {
  return target.kind === 'email' && sameAddress(target.address) === sameAddress(address);
}
