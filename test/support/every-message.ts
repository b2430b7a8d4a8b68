// Renders a message in the format of every kind of channel, as the senders do, whichever channel it is for.

import type { Channel } from '#shared/delivery/channel.ts';
import { channelRows, httpFormOf, isHttpTarget } from '#shared/delivery/channels/channels.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { renderMail } from '#shared/delivery/outbound/mail.ts';
import type { Prepared } from '#shared/delivery/prepare-message.ts';
import { addressed } from './telegram.ts';

const secret = `whsec_${'A'.repeat(43)}=`;

/** @throws any error of the renderers. */
export async function renderEveryKind(
  prepared: Prepared,
  { target }: Channel,
  { deliveryId, dueAt }: Delivery,
): Promise<void> {
  for (const row of channelRows) {
    const other = row.newTarget(row.example, () => secret);
    if (!isHttpTarget(other)) continue;
    const sent = addressed(other);
    const form = httpFormOf(other);
    JSON.parse(form.request({ ...prepared, deliveryId, dueAt }, sent, dueAt).body);
    JSON.parse(form.plainerBody?.(prepared.message, sent) ?? '{}');
  }
  await renderMail({
    from: 'Getin <alerts@getin.example>',
    to: 'address' in target ? target.address : 'ann@example.com',
    deliveryId,
    message: prepared.message,
    date: new Date(dueAt),
  });
}
