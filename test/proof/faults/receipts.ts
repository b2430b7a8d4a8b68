// All received messages: each mail that SES accepted and each post that the receiver accepted, with its
// delivery's id if it has one, and whether the sender got the answer; and all edits of messages in chats.
import * as z from 'zod';
import { type Chats, chatRequestOf, messageIdIn } from './chats.ts';
import type { Served } from './links/link.ts';
import { isChat } from './scenario/owners.ts';

/** One copy of a message. */
export interface Receipt {
  /** An address, or the path of a webhook. */
  place: string;
  /** From the Message-ID or `webhook-id`; empty for a chat. */
  deliveryId: string;
  /** Alert ids in the message itself; mails and chats have none. */
  alertIds: string[] | undefined;
  /** Machine milliseconds, monotonic. */
  at: number;
  /** By the run's clock, epoch milliseconds. */
  heardAt: number;
  /** Whether the sender got the answer. */
  isAnswered: boolean;
  /** Of a message that can be edited: the receiver's number of it, and its first line as it was sent. */
  sent?: { messageId: string; title: string };
}

/** One edit of a message in a chat. */
export interface ReceivedEdit extends Pick<Receipt, 'place' | 'at' | 'heardAt' | 'isAnswered'> {
  messageId: string;
  /** The lines of the message after it. */
  lines: string[];
}

const alert = z.object({ id: z.string() });
const postSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['alert.fired', 'alert.recovered']), data: z.object({ alert }) }),
  z.object({
    type: z.literal('alerts.fired'),
    data: z.object({ alerts: z.array(alert), recovered: z.array(alert).default([]) }),
  }),
  z.object({ type: z.literal('channel.notice') }),
  z.object({ type: z.literal('channel.test') }),
]);

export class Receipts {
  readonly all: Receipt[] = [];
  /** The texts of mails by address, in order of arrival. */
  readonly mails: { to: string; raw: Buffer }[] = [];
  readonly edits: ReceivedEdit[] = [];

  readonly #chats: Chats;
  readonly #now: () => number;

  /** @param now the run's clock. */
  constructor(chats: Chats, now: () => number) {
    this.#chats = chats;
    this.#now = now;
  }

  post = (served: Served): void => {
    const { request, answer, isAnswered } = served;
    const chat = chatRequestOf(request);
    if (chat) {
      const { place, edits: messageId = messageIdIn(answer) } = chat;
      const lines = this.#chats.linesOf(place, messageId);
      const received = { place, ...this.#when(), isAnswered };
      if (chat.edits !== undefined) this.edits.push({ ...received, messageId, lines });
      else {
        const [title = ''] = lines;
        const sent = { messageId, title };
        this.all.push({ ...received, deliveryId: '', alertIds: undefined, sent });
      }
      return;
    }
    const place = request.path.replace(/\?.*$/, '');
    const named = isChat(place)
      ? { deliveryId: '', alertIds: undefined }
      : {
          deliveryId: String(request.headers['webhook-id']),
          alertIds: alertIdsIn(request.body.toString()),
        };
    this.all.push({ place, ...named, ...this.#when(), isAnswered });
  };

  mail = ({ request, isAnswered }: Served): void => {
    const form = new URLSearchParams(request.body.toString());
    if (form.get('Action') !== 'SendRawEmail') return;
    const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64');
    const to = form.get('Destinations.member.1') ?? '';
    const deliveryId = /^Message-ID:\s*<([^@>]+)@/im.exec(raw.toString('latin1'))?.[1] ?? '';
    this.mails.push({ to, raw });
    this.all.push({
      ...{ place: to, deliveryId, alertIds: undefined },
      ...this.#when(),
      isAnswered,
    });
  };

  #when(): Pick<Receipt, 'at' | 'heardAt'> {
    return { at: performance.now(), heardAt: this.#now() };
  }
}

function alertIdsIn(body: string): string[] {
  const post = postSchema.parse(JSON.parse(body));
  if (post.type === 'alert.fired' || post.type === 'alert.recovered') return [post.data.alert.id];
  if (post.type !== 'alerts.fired') return [];
  return [...post.data.alerts, ...post.data.recovered].map(({ id }) => id);
}
