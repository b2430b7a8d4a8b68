// Renders a message in the form of every kind of channel, as the senders do, whatever channel it is for.
import type { Delivery } from '#shared/delivery/delivery.ts';
import { renderDiscord } from '#shared/delivery/message/discord-message.ts';
import { renderMail } from '#shared/delivery/message/email.ts';
import { renderSlack, renderSlackText } from '#shared/delivery/message/slack-message.ts';
import { renderTeams } from '#shared/delivery/message/teams-message.ts';
import { alertPayload, alertsBody, channelBody } from '#shared/delivery/message/webhook-payload.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import type { Channel } from '#shared/watchlist/channel.ts';

/** @throws what any of the renderers throws. */
export async function renderEveryKind(
  { message, told, heldFor }: Prepared,
  { target }: Channel,
  { deliveryId, dueAt }: Delivery,
): Promise<void> {
  const payloads = told.map(({ alert, message: words }) => alertPayload(alert, words));
  const bodies = [
    renderDiscord(message),
    renderSlack(message),
    renderTeams(message),
    renderTeams(message, { isSmall: true }),
    alertsBody(payloads, { at: dueAt, heldFor: heldFor ?? null }),
    channelBody('channel.notice', message, dueAt),
  ];
  for (const body of bodies) JSON.parse(body);
  renderSlackText(message);
  await renderMail({
    from: 'Getin <alerts@getin.example>',
    to: target.kind === 'email' ? target.address : 'ann@example.com',
    deliveryId,
    message,
    date: new Date(dueAt),
  });
}
