// Targets that are a URL: their schemas, and the row that all chats share.
import * as z from 'zod';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { userAgent } from '../outbound/webhook.ts';
import type { ChannelKindRow } from './channel-kind.ts';

/** A URL as an owner gives it; receiver-url.ts decides whether it may be called. */
export const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2_000)
  .refine((url) => !/^https?:\/\/[^/]*@/i.test(url), 'must not have a user name or password');

/** A stored URL. A damaged URL can't be called, so it is refused. */
export const storedUrl = z.string().refine((url) => URL.canParse(url));

/** The start of a key or topic, enough for its owner to know it and too little to use it. */
export function startOf(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`;
}

/** A URL is its own secret: it contains the receiver's token. */
export const urlSecrets = ({ url }: { url: string }): string[] => [url];

/** The headers of a message to a chat. */
export const chatHeaders = { 'content-type': 'application/json', 'user-agent': userAgent };

type ChatFacts = Required<
  Pick<ChannelKindRow, 'label' | 'isOwnUrl' | 'pace' | 'acceptsOnlyItsForm' | 'guide'>
> &
  Pick<ChannelKindRow, 'takesOtherForm'>;

/** The row of a chat whose incoming webhook has a URL to post to. */
export function chatRow<const Kind extends string>(
  kind: Kind,
  { example, ...facts }: ChatFacts & { example: string },
) {
  return {
    ...facts,
    kind,
    sender: 'webhook',
    readBy: 'people',
    needsConfirmation: false,
    slotsOf: 'channel',
    wanted: z
      .strictObject({ kind: z.literal(kind), url: receiverUrl, ...newChannelSettings })
      .meta({ id: `${facts.label}ChannelRequest` }),
    changes: { url: receiverUrl },
    target: z.object({ kind: z.literal(kind), url: storedUrl }),
    urlField: 'url',
    example: { url: example },
    newTarget: ({ url }: { url: string }) => ({ kind, url }),
    changedTarget: (target, change: { url?: string }) => ({ ...target, ...change }),
    readerOf: ({ url }) => url,
  } as const satisfies ChannelKindRow<{ kind: Kind; url: string }, { url: string }>;
}
