// The buttons under a Telegram message. Shops and pages open as addresses; an act that needs nothing else is done in
// place, so its button says only which act on which alert.
import type { Outgoing } from '../channels/channel-kind.ts';
import type { Message } from '../message/message.ts';
import type { MessageLink } from '../message/message-link.ts';
import { cutTo } from '../message/plain-text.ts';
import { alertButtonData } from './button-data.ts';

export type Button = { text: string } & ({ url: string } | { callback_data: string });

const labelLimit = 40;
const perRow = 2;
/** The act of the page of a channel that ends the alerts of one watch. */
const stopWatchAct = 'stop_watch';
/** This page asks for the price. */
const actsOnPages: ReadonlySet<string> = new Set(['bought']);

/** The rows of buttons of a message; `isCut` if its text leaves out alerts. */
export function keyboardOf(
  { message, deliveryId }: Pick<Outgoing, 'message' | 'deliveryId'>,
  { isCut }: { isCut: boolean },
): Button[][] {
  const { links, stopUrl, moreUrl } = message;
  const pages = links.filter(({ kind }) => kind !== 'act');
  const acts = links.filter(({ kind }) => kind === 'act');
  const more = isCut && moreUrl !== undefined ? [{ text: 'See all alerts', url: moreUrl }] : [];
  const stop = stopUrl === undefined ? [] : [{ text: 'Stop or snooze', url: stopUrl }];
  return [
    ...inRows(pages.map(urlButton)),
    ...inRows(acts.map((link) => actButton(link, message, deliveryId))),
    ...inRows([...more, ...stopButtons(message, deliveryId), ...stop]),
  ];
}

/** Under an alert that can be acted on, a button that ends the alerts of its watch here. */
function stopButtons({ alerts, links, stopUrl }: Message, deliveryId: string): Button[] {
  const [alert] = alerts;
  if (!alert || stopUrl === undefined || !links.some(({ kind }) => kind === 'act')) return [];
  const pressed = { deliveryId, alertId: alert.alertId, act: stopWatchAct };
  return [{ text: 'Stop this watch here', callback_data: alertButtonData(pressed, stopUrl) }];
}

function inRows(buttons: readonly Button[]): Button[][] {
  const rows = Math.ceil(buttons.length / perRow);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * perRow, (row + 1) * perRow));
}

function urlButton({ label, url }: MessageLink): Button {
  return { text: cutTo(label, labelLimit), url };
}

function actButton(link: MessageLink, { alerts, stopUrl }: Message, deliveryId: string): Button {
  const act = new URL(link.url).searchParams.get('do');
  const [alert] = alerts;
  if (act === null || actsOnPages.has(act) || !alert || stopUrl === undefined) {
    return urlButton(link);
  }
  const { alertId } = alert;
  const data = alertButtonData({ deliveryId, alertId, act }, stopUrl);
  return { text: cutTo(link.label, labelLimit), callback_data: data };
}
