/** What each kind of channel makes of the golden messages, and of their plainer form: what the programs check. */
import {
  type ChannelKind,
  channelRows,
  httpFormOf,
  isHttpTarget,
} from '#shared/delivery/channels/channels.ts';
import { renderEmailHtml } from '#shared/delivery/channels/email-html.ts';
import { renderMail } from '#shared/delivery/outbound/mail.ts';
import { goldenOutgoing } from '#test/support/golden-messages.ts';
import { addressed } from '#test/support/telegram.ts';

export type Json = Record<string, unknown>;

const messages = Object.entries(goldenOutgoing);

/** The JSON bodies of one kind, by the name of the message. */
export function bodiesOf(kind: ChannelKind): Map<string, Json> {
  const row = channelRows.find((each) => each.kind === kind);
  const target = row?.newTarget(row.example, () => '');
  if (!target || !isHttpTarget(target)) throw new Error(`${kind} has no bodies`);
  const form = httpFormOf(target);
  const bodies = messages.flatMap(([name, outgoing]): [string, string | undefined][] => [
    [name, form.request(outgoing, addressed(target), outgoing.dueAt).body],
    [`${name}, plainer`, form.plainerBody?.(outgoing.message, addressed(target))],
  ]);
  return new Map(
    bodies.flatMap(([name, body]) =>
      body === undefined ? [] : [[name, JSON.parse(body) as Json] as const],
    ),
  );
}

/** The raw MIME of the mails. */
export async function rawMails(): Promise<Map<string, Buffer>> {
  const mails = new Map<string, Buffer>();
  for (const [name, { message, dueAt }] of messages) {
    const raw = await renderMail({
      ...{ from: 'Getin <alerts@getin.example>', to: 'ann@example.com', message },
      ...{ deliveryId: `dlv_${'1'.padStart(32, '0')}`, date: new Date(dueAt) },
    });
    mails.set(name, raw);
  }
  return mails;
}

/** The HTML of the mails. */
export function mailPages(): Map<string, string> {
  return new Map(messages.map(([name, { message }]) => [name, renderEmailHtml(message)]));
}
