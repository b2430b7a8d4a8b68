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

/** The headers of a message to a chat. */
export const chatHeaders = { 'content-type': 'application/json', 'user-agent': userAgent };

type ChatFacts = Required<
  Pick<ChannelKindRow, 'label' | 'isOwnUrl' | 'messagesPerSecond' | 'acceptsOnlyItsForm'>
>;

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
    target: z.object({ kind: z.literal(kind), url: storedUrl }),
    example: { url: example },
    newTarget: ({ url }: { url: string }) => ({ kind, url }),
  } as const satisfies ChannelKindRow<{ kind: Kind; url: string }, { url: string }>;
}
