// A button of a message was pressed in a chat: does what the same button of the alert's page does, and shows it.

import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import type { Channel } from '#shared/delivery/channel.ts';
import { telegram } from '#shared/delivery/channels/telegram.ts';
import { cutTo } from '#shared/delivery/message/plain-text.ts';
import {
  actMarkOf,
  alertButtonData,
  alertMarkOf,
  channelButtonData,
  isSignedFor,
  type Pressed,
  readButtonData,
} from '#shared/delivery/telegram/button-data.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { LinkPage, Press } from '../links/link-page.ts';
import { presses } from '../links/link-presses.ts';
import { pageActNames } from '../links/page-acts.ts';
import type { BotCall } from './bot-use.ts';
import { notLinkedAnyMore, oldButton } from './chat-texts.ts';
import type { PressPage } from './press-page.ts';
import type { CallbackQuery } from './update-schema.ts';

interface PressButtonDeps {
  stores: Pick<Stores, 'channels' | 'deliveries'>;
  pressPage: PressPage;
}

/** A press that is ours: the channel, the act, and how a further button of the message names an act. */
interface Found {
  channel: Channel;
  act: string;
  token: string;
  dataOf: (act: string) => string;
}

/** Telegram's limit for the text that a press is answered with. */
const answerLimit = 200;
const labelLimit = 60;

const acts = [...new Set([...pageActNames, ...Object.values(presses).map(({ act }) => act)])];

export function createPressButton({ stores, pressPage }: PressButtonDeps) {
  return async function pressButton(query: CallbackQuery): Promise<BotCall[]> {
    const pressed = readButtonData(query.data ?? '');
    const found = pressed && (await find(pressed));
    if (!found) return [answering(query, oldButton)];
    const { target } = found.channel;
    const isHere = target.kind === telegram.kind && target.chat?.id === query.message?.chat.id;
    if (!isHere) return [answering(query, notLinkedAnyMore)];
    const page = await pressPage(found.token, found.act, labelIn(query));
    if (!page) return [answering(query, oldButton)];
    return [answering(query, answerText(page)), ...showing(query, page, found)];
  };

  async function find(pressed: Pressed): Promise<Found | undefined> {
    const act = acts.find((each) => actMarkOf(each) === pressed.actMark);
    if (act === undefined) return undefined;
    return pressed.on === 'alert' ? findAlert(pressed, act) : findChannel(pressed, act);
  }

  async function findAlert(
    { deliveryId, alertMark, signed }: Extract<Pressed, { on: 'alert' }>,
    act: string,
  ): Promise<Found | undefined> {
    const delivery = await stores.deliveries.find(deliveryId);
    const channel = delivery && (await stores.channels.find(delivery.channelId));
    if (!channel || !isSignedFor(signed, channel.stopUrl)) return undefined;
    const { stopUrl } = channel;
    const alertId = [...(delivery.alertIds ?? [])].find((id) => alertMarkOf(id) === alertMark);
    const pageUrl = alertId && createAlertLinks(stopUrl)?.pageUrl(alertId);
    if (!pageUrl) return undefined;
    const dataOf = (other: string) => alertButtonData({ deliveryId, alertId, act: other }, stopUrl);
    return { channel, act, token: tokenIn(pageUrl), dataOf };
  }

  async function findChannel(
    { channelId, signed }: Extract<Pressed, { on: 'channel' }>,
    act: string,
  ): Promise<Found | undefined> {
    const channel = await stores.channels.find(channelId);
    if (!channel || !isSignedFor(signed, channel.stopUrl)) return undefined;
    const { stopUrl } = channel;
    const dataOf = (other: string) => channelButtonData({ channelId, act: other }, stopUrl);
    return { channel, act, token: tokenIn(stopUrl), dataOf };
  }
}

/** What the pressed button said; undefined for a message that Telegram does not show any more. */
function labelIn({ data, message }: CallbackQuery): string | undefined {
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.find((button) => button.callback_data === data)?.text;
}

function tokenIn(url: string): string {
  return url.split('/l/')[1] ?? '';
}

function answering({ id }: CallbackQuery, text: string): BotCall {
  return { method: 'answerCallbackQuery', params: { callback_query_id: id, text } };
}

/** The page of an alert says what was done in its question; its title is the event. */
function answerText({ title, lines, question, notice }: LinkPage): string {
  const told = question ? [notice ?? question.title, ...question.lines] : [title, ...lines];
  return cutTo(told.join('\n'), answerLimit);
}

/** Shows in the place of the pressed button what was done, and the act that undoes it. */
function showing({ data, message }: CallbackQuery, page: LinkPage, { dataOf }: Found): BotCall[] {
  const rows = message?.reply_markup?.inline_keyboard;
  const [first] = page.presses;
  const next = page.question ? page.question.press : first;
  if (!rows || !next) return [];
  const shown = { text: labelOf(page, next), callback_data: dataOf(next.act) };
  const changed = rows.flatMap((row) => {
    const others = row.filter((button) => button.callback_data !== data);
    if (others.length === row.length) return [row];
    return others.length === 0 ? [[shown]] : [others, [shown]];
  });
  const { chat, message_id } = message;
  const params = {
    ...{ chat_id: chat.id, message_id },
    reply_markup: { inline_keyboard: changed },
  };
  return [{ method: 'editMessageReplyMarkup', params }];
}

/** "✓ Snoozed for 24 hours · Undo". */
function labelOf({ title }: LinkPage, { label }: Press): string {
  return cutTo(label.startsWith('Undo') ? `✓ ${title} · Undo` : label, labelLimit);
}
