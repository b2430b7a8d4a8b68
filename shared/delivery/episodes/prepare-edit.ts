// Composes the present content of a living message: the alert as it was sent, and what happened since.
import { hearingTimesOf, type Owner } from '#shared/watchlist/owner.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { BuyLinkTemplate } from '../../alerts/ticket-link.ts';
import type { Channel } from '../channel.ts';
import type { Outgoing } from '../channels/channel-kind.ts';
import { createAlertExtras } from '../message/alert-extras.ts';
import { episodeText } from '../message/episode-text.ts';
import { momentText } from '../message/figures.ts';
import { composeMessage } from '../message/message.ts';
import { alertsMessage } from '../message/message-kinds.ts';
import type { EpisodeState, LivingMessage } from './living-message.ts';

interface EditParts {
  message: LivingMessage;
  alert: Alert;
  state: EpisodeState;
  channel: Channel;
  owner: Owner | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** The message with the words of a state. */
export function prepareEdit(
  { message, alert, state, channel, owner, now }: EditParts,
  buyLinks: readonly BuyLinkTemplate[],
): Outgoing {
  const { deliveryId, dueAt, held, moves } = message;
  const { timeZone } = hearingTimesOf(owner);
  const { stopUrl } = channel;
  const reading = { now, timeZone, extrasOf: createAlertExtras(stopUrl, buyLinks) };
  const told = composeMessage(alert, reading, moves);
  const heldSince = held && { ...held, since: momentText(held.since, timeZone) };
  const episode = episodeText(alert, state, timeZone);
  const shown = { ...told, ...(episode && { episode }) };
  return {
    ...{ deliveryId, dueAt, heldFor: held?.reason },
    told: [{ alert, message: shown }],
    message: alertsMessage([shown], { held: heldSince, stopUrl }),
  };
}
