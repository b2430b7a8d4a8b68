// The facts that each kind of channel declares. Each kind is one file of this folder; channels.ts lists them.
import type * as z from 'zod';
import type { Alert } from '../../alerts/alert.ts';
import type { AlertMessage, Message } from '../message/message.ts';
import type { HoldReason } from '../message/message-kinds.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import type { ContentType } from '../template/content-types.ts';
import type { ChannelGuide } from './channel-guide.ts';
import type { EditJudgement, Judgement } from './judgement.ts';

/** The functions that send; each has a queue of its own. */
export const senderNames = ['email', 'webhook'] as const;
export type SenderName = (typeof senderNames)[number];

/** The facts of a kind, except those that only its sender needs: they are in its `HttpForm`. */
export interface ChannelKindRow<
  Target extends { kind: string } = { kind: string },
  Address extends object = object,
> {
  kind: Target['kind'];
  /** The product as people call it: "Slack", "e-mail". */
  label: string;
  /** The function, and so the queue, that sends its messages. */
  sender: SenderName;
  /** Machines get equal bytes on every attempt, alerts at once by default, and notices as a last resort. */
  readBy: 'people' | 'machines';
  /**
   * How the reader agrees to get alerts, before which none is sent: by the link in a mail, or by opening a chat
   * with our bot. False if anyone who has the address owns the place.
   */
  needsConfirmation: false | 'mail' | 'chat';
  /**
   * Which messages share sender slots: those to the URL's host, those to the channel (all owners' messages
   * to a chat go to one host), or none, because an AWS service takes them.
   */
  slotsOf: 'host' | 'channel' | 'none';
  /** The rate that the receiver accepts for one channel. @default no limit */
  pace?: SendPace;
  /** The rate of edits that the receiver accepts for one channel, beside `pace`. @default no limit */
  editPace?: SendPace;
  /**
   * Paces that channels share, each counted under its name, those with the shortest windows first.
   * @default none
   */
  sharedPacesOf?(target: Target): readonly SharedPace[];
  /** The body that adds a channel. */
  wanted: z.core.$ZodTypeDiscriminable;
  /** The fields of that body that `PATCH` can change, by name. */
  changes: Readonly<Record<string, z.ZodType>>;
  /** The stored target. URLs and keys are secrets: the API takes them and never returns them. */
  target: z.core.$ZodTypeDiscriminable;
  /**
   * The field of the body and of the target that holds the receiver's URL; the URL is checked before it is used.
   * @default none: all messages go to `host`, or by mail
   */
  urlField?: 'url' | 'server';
  /** The host of a kind without `urlField`. */
  host?: string;
  /** Whether a URL belongs to this product. @default every public URL may be of this kind */
  isOwnUrl?(url: URL): boolean;
  /** Receivers of this kind don't understand generic webhooks, so a webhook channel can't use their URLs. */
  acceptsOnlyItsForm?: boolean;
  /**
   * Whether a URL of this product takes the messages of another product, such as Discord's `/slack`. No channel
   * can use it. @default no URL does
   */
  takesOtherForm?(url: URL): boolean;
  /** What a valid address looks like. */
  example: Address;
  guide: ChannelGuide;
  /** @param newSecret makes a signing secret. */
  newTarget(given: Address, newSecret: () => string): Target;
  /** The target after a `PATCH` with some of `changes`. */
  changedTarget(target: Target, changes: object): Target;
  /** Why valid changes can't be made to this target. @default every valid change can be made */
  changeFault?(target: Target, changes: object): { field: string; detail: string } | undefined;
  /** The target's settings that are no secrets, as the API shows them. @default it has none */
  settingsOf?(target: Target): TargetSettings;
  /** Equal for two targets that reach the same reader. It is as secret as the target. */
  readerOf(target: Target): string;
  /**
   * Tells the owner's channels at one host apart: a name that is no secret, or the start of a secret.
   * @default the host is enough
   */
  recipientOf?(target: Target): string;
}

/** Settings that only some kinds have, in the API's spelling. */
export interface TargetSettings {
  payload_version?: 1 | 2;
  /** The names of the headers that are sent with each message. */
  header_names?: string[];
  body_template?: string;
  content_type?: ContentType;
}

/** At most `messages` in each window of `perMs`. */
export interface SendPace {
  messages: number;
  perMs: number;
}

export interface SharedPace extends SendPace {
  name: string;
}

/** A message for a form, with its facts for machines. */
export interface Outgoing {
  deliveryId: string;
  /** Epoch ms; the same on every attempt. */
  dueAt: number;
  message: Message;
  told: readonly { alert: Alert; message: AlertMessage }[];
  heldFor: HoldReason | undefined;
  /** Every alert of the delivery, also those that are no longer news. @default the alerts in `told` */
  alertIds?: Iterable<string> | undefined;
}

export interface HttpRequest {
  /** @default POST */
  method?: 'POST' | 'PATCH' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Why the body is not the one that the channel's settings ask for: the reason of a delivery that is sent so. */
  note?: string;
}

/** How messages of a kind are sent by HTTP. */
export interface HttpForm<Target extends { kind: string }> {
  /** @param now epoch ms of this attempt. */
  request(outgoing: Outgoing, target: Target, now: number): HttpRequest;
  /** A simpler body, for a receiver that refused the form of the first. @default there is none */
  plainerBody?(message: Message, target: Target): string;
  /** The target's secrets, which are removed from logged answers: URLs, and keys and tokens as they are sent. */
  secretsOf(target: Target): string[];
  /** @param now epoch ms, for waits that the receiver gives as a date. */
  judge(answer: PostAnswer, now: number): Judgement;
  /** What the log may show of an answer that says who the reader is. @default its start */
  shownOf?(answer: PostAnswer): string;
  /** The target at its new address, if the answer names one. @default receivers don't move */
  movedTo?(answer: PostAnswer, target: Target): Target | undefined;
  /** How a message that was sent is changed in its place. @default messages of this kind can't be changed */
  edits?: EditForm<Target>;
}

/**
 * How a sent message is changed in its place, without a sound. An edit that is lost is no error, and never
 * counts as a failure of the channel.
 */
export interface EditForm<Target extends { kind: string }> {
  /**
   * The receiver's name for the message, from its answer to `request`: an id, or several with a separator.
   * At most 500 characters. Undefined if the answer has none; then the message is never edited.
   */
  receiptOf(answer: PostAnswer): string | undefined;
  /**
   * Replaces the whole content of the message. @param now epoch ms of this edit.
   * @returns undefined if the target no longer reaches the message; then it is never edited again.
   */
  request(
    outgoing: Outgoing,
    target: Target,
    receipt: string,
    now: number,
  ): HttpRequest | undefined;
  /** @param now epoch ms, for waits that the receiver gives as a date. */
  judge(answer: PostAnswer, now: number): EditJudgement;
}
