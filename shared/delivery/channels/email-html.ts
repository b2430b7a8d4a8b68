// The HTML part of a mail: one column, readable at any width, light and dark. A reader who sees no picture
// misses nothing.
import { chartSize } from '../../charts/chart-scale.ts';
import { afterLead, scopeInDigest } from '../message/digest-line.ts';
import { html, type Markup } from '../message/markup.ts';
import {
  type AlertMessage,
  type EventGroup,
  eventGroups,
  factsOf,
  listedPrices,
  type Message,
  moreText,
  whenAndWhere,
} from '../message/message.ts';
import type { MessageLink } from '../message/message-link.ts';
import { utf8Bytes } from '../message/plain-text.ts';
import { lookOf, mailStyles } from './email-style.ts';

/** Gmail clips mails at about 102 KB; this many alerts stay far below, unless their names are long. */
export const alertsPerMail = 40;
const mailBytes = 95_000;

/** A whole HTML document; with fewer alerts, as long as it is too large. */
export function renderEmailHtml(message: Message): string {
  let most = alertsPerMail;
  let document = documentOf(message, most);
  while (utf8Bytes(document) > mailBytes && most > 1) {
    most = Math.floor(most / 2);
    document = documentOf(message, most);
  }
  return document;
}

/** @param most how many alerts of a digest are shown. */
function documentOf(message: Message, most: number): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Getin</title>
<style>${mailStyles}</style>
</head>
<body ${lookOf('body')}>
<div ${lookOf('page')}><div ${lookOf('card')}>
${contentOf(message, most)}</div>${footOf(message)}</div>
</body>
</html>
`;
  return text;
}

function contentOf(message: Message, most: number): Markup {
  const [only] = message.alerts;
  if (message.kind === 'alert' && only) return alertHtml(only, message.paragraphs);
  return message.kind === 'digest' ? digestHtml(message, most) : wordsHtml(message);
}

function wordsHtml({ headline, paragraphs, links }: Message): Markup {
  return html`<div ${lookOf('words')}>
<h1 ${lookOf('title')} dir="auto">${headline}</h1>
${paragraphsHtml(paragraphs)}${buttonsHtml(links)}</div>
`;
}

function alertHtml(alert: AlertMessage, paragraphs: readonly string[]): Markup {
  const { place, event, value, detail, links } = alert;
  const acts = links.filter(({ kind }) => kind === 'act');
  return html`<div ${lookOf('part')}>
<h1 ${lookOf('place')} dir="auto">${place}</h1>
${softLine(whenAndWhere(event))}<p ${lookOf('big')}>${value}</p>
<p ${lookOf('detail', colourOf(alert))} dir="auto">${detail}</p>
${chartHtml(alert)}${buttonsHtml(links)}</div>
<div ${lookOf('rest')}>
${paragraphsHtml(paragraphs)}<table ${lookOf('table')}><tbody>
${listingsRow(alert)}${factsOf(alert).map(([label, text]) => row(label, [text]))}</tbody></table>
${actsHtml(acts)}</div>
`;
}

function colourOf({ way, isRecovery }: AlertMessage) {
  if (isRecovery || way === undefined) return 'flat';
  return way === 'down' ? 'fall' : 'rise';
}

/** The dark picture is shown instead of the light one where the reader's program knows dark mode. */
function chartHtml({ chart }: AlertMessage): Markup | undefined {
  if (!chart) return undefined;
  const { url, darkUrl, alt } = chart;
  return html`<div class="light"><img ${lookOf('chart')} src="${url}" width="${chartSize.width}" alt="${alt}"></div>
<!--[if !mso]><!--><div ${lookOf('dark')}><img ${lookOf('chart')} src="${darkUrl}" width="${chartSize.width}" alt="${alt}"></div><!--<![endif]-->
`;
}

function listingsRow({ listings }: AlertMessage): Markup | undefined {
  return listings.length === 0 ? undefined : row('Cheapest', listings);
}

function row(label: string, lines: readonly string[]): Markup {
  const shown = lines.map((line, index) => html`${index === 0 ? undefined : html`<br>`}${line}`);
  return html`<tr><th ${lookOf('label')} scope="row">${label}</th><td ${lookOf('cell')} dir="auto">${shown}</td></tr>
`;
}

function actsHtml(acts: readonly MessageLink[]): Markup | undefined {
  if (acts.length === 0) return undefined;
  const links = acts.map(
    (act, index) =>
      html`${index === 0 ? undefined : ' · '}<a ${lookOf('link')} href="${act.url}">${act.label}</a>`,
  );
  return html`<p ${lookOf('acts')}>${links}</p>
`;
}

function digestHtml({ headline, paragraphs, alerts, moreUrl }: Message, most: number): Markup {
  const shown = alerts.slice(0, most);
  const left = alerts.length - shown.length;
  const more = left === 0 ? undefined : moreHtml(left, moreUrl);
  return html`<div ${lookOf('words')}>
<h1 ${lookOf('title')} dir="auto">${headline}</h1>
${paragraphsHtml(paragraphs)}</div>
${eventGroups(shown).map(groupHtml)}${more}`;
}

function moreHtml(count: number, url: string | undefined): Markup {
  const text = moreText(count);
  const shown = url === undefined ? text : html`<a ${lookOf('link')} href="${url}">${text}</a>`;
  return html`<div ${lookOf('rest')}>${shown}</div>
`;
}

function groupHtml({ event, alerts }: EventGroup): Markup {
  return html`<div ${lookOf('rest')}>
<h2 ${lookOf('place')} dir="auto">${event.name}</h2>
${softLine(whenAndWhere(event))}${alerts.map(lineHtml)}</div>
`;
}

/** One alert of a digest; its lead is the link to its page. */
function lineHtml(alert: AlertMessage): Markup {
  const { lead, moves, doubt, listings, pageUrl, observed, watchName } = alert;
  const colour = colourOf(alert);
  const shown = html`<span ${lookOf('lead', colour === 'flat' ? undefined : colour)}>${lead}</span>`;
  const linked =
    pageUrl === undefined
      ? shown
      : html`<a href="${pageUrl}" style="text-decoration:none">${shown}</a>`;
  const scope = scopeInDigest(alert);
  const where = scope === undefined ? undefined : html` · ${scope}`;
  const parts = [afterLead(alert), listings[0], moves?.text, doubt];
  const rest = parts.filter((part) => part !== undefined && part !== '');
  const name = watchName === undefined ? '' : ` · “${watchName}”`;
  return html`<p ${lookOf('line')} dir="auto">${linked}${where}<br>${rest.join(' · ')}</p>
<p ${lookOf('soft')} dir="auto">${observed}${name}${openHtml(pageUrl)}</p>
`;
}

function openHtml(url: string | undefined): Markup | undefined {
  return url === undefined ? undefined : html` · <a ${lookOf('link')} href="${url}">Open</a>`;
}

function paragraphsHtml(paragraphs: readonly string[]): Markup[] {
  return paragraphs.map((text) => html`<p ${lookOf('text')} dir="auto">${text}</p>\n`);
}

function softLine(text: string): Markup | undefined {
  return text === '' ? undefined : html`<p ${lookOf('soft')} dir="auto">${text}</p>\n`;
}

/** The acts are links at the end, so that a reader sees one thing to do first. */
function buttonsHtml(links: readonly MessageLink[]): Markup | undefined {
  const buttons = links.filter(({ kind }) => kind !== 'act');
  if (buttons.length === 0) return undefined;
  const shown = buttons.map(
    ({ url, label }, index) =>
      html`<a ${lookOf(index === 0 ? 'button' : 'second')} href="${url}">${label}</a>`,
  );
  return html`<p ${lookOf('buttons')}>${shown}</p>\n`;
}

function footOf({ stopUrl, alerts }: Message): Markup | undefined {
  const prices = alerts.length === 0 ? undefined : html`${listedPrices}<br>`;
  const stop =
    stopUrl === undefined
      ? undefined
      : html`You asked Getin for this. <a ${lookOf('link')} href="${stopUrl}">Stop or snooze</a>`;
  if (prices === undefined && stop === undefined) return undefined;
  return html`<div ${lookOf('foot')}>${prices}${stop}</div>`;
}
