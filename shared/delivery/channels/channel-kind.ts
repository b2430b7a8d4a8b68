// The facts that each kind of channel declares. Each kind is one file of this folder; channels.ts lists them.
import type * as z from 'zod';
import type { Alert } from '../../alerts/alert.ts';
import type { AlertMessage, Message } from '../message/message.ts';
import type { HoldReason } from '../message/message-kinds.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import type { Judgement } from './judgement.ts';

/** The functions that send; each has a queue of its own. */
export const senderNames = ['email', 'webhook'] as const;
export type SenderName = (typeof senderNames)[number];

/** The field with which an owner adds a channel. */
type Given = { address: string } | { url: string };

/** The facts of a kind, except those that only its sender needs: they are in its `HttpForm`. */
export interface ChannelKindRow<
  Target extends { kind: string } = { kind: string },
  Address extends Given = Given,
> {
  kind: Target['kind'];
  /** The product as people call it: "Slack", "e-mail". */
  label: string;
  /** The function, and so the queue, that sends its messages. */
  sender: SenderName;
  /** Machines get equal bytes on every attempt, alerts at once by default, and notices as a last resort. */
  readBy: 'people' | 'machines';
  /** Whether a reader has to confirm the address before alerts are sent to it. */
  needsConfirmation: boolean;
  /**
   * Which messages share sender slots: those to the URL's host, those to the channel (all owners' messages
   * to a chat go to one host), or none, because an AWS service takes them.
   */
  slotsOf: 'host' | 'channel' | 'none';
  /** The rate that the receiver accepts for one channel. @default no limit */
  messagesPerSecond?: number;
  /** The body that adds a channel. */
  wanted: z.core.$ZodTypeDiscriminable;
  /** The stored target. URLs are secrets: the API takes them and never returns them. */
  target: z.core.$ZodTypeDiscriminable;
  /** Whether a URL belongs to this product. @default every public URL may be of this kind */
  isOwnUrl?(url: URL): boolean;
  /** Receivers of this kind don't understand generic webhooks, so a webhook channel can't use their URLs. */
  acceptsOnlyItsForm?: boolean;
  /** What a valid address looks like. */
  example: Address;
  /** @param newSecret makes a signing secret. */
  newTarget(given: Address, newSecret: () => string): Target;
}

/** A message for a form, with its facts for machines. */
export interface Outgoing {
  deliveryId: string;
  /** Epoch ms; the same on every attempt. */
  dueAt: number;
  message: Message;
  told: readonly { alert: Alert; message: AlertMessage }[];
  heldFor: HoldReason | undefined;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How messages of a kind are sent by HTTP. */
export interface HttpForm<Target extends { kind: string; url: string }> {
  /** @param now epoch ms of this attempt. */
  request(outgoing: Outgoing, target: Target, now: number): PostRequest;
  /** A simpler body, for a receiver that refused the form of the first. @default there is none */
  plainerBody?(message: Message): string;
  /** @param now epoch ms, for waits that the receiver gives as a date. */
  judge(answer: PostAnswer, now: number): Judgement;
}
