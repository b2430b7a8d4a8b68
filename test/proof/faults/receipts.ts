// All received messages: each mail that SES accepted and each post that the receiver accepted, with its
// delivery's id if it has one, and whether the sender got the answer.
import * as z from 'zod';
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

  readonly #now: () => number;

  /** @param now the run's clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  post = ({ request, isAnswered }: Served): void => {
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
