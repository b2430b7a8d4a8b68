// A message as Slack's blocks (Block Kit). All text except our own words is plain text, so no name from the market
// becomes a link, a mention or markup.
import { afterLead, scopeInDigest } from '../message/digest-line.ts';
import {
  type AlertMessage,
  eventGroups,
  factsOf,
  listedPrices,
  type Message,
  type MessageChart,
  moreText,
  whenAndWhere,
} from '../message/message.ts';
import type { MessageLink } from '../message/message-link.ts';
import { fitInto, linesThatFit, utf8Bytes, withoutAutoLinks } from '../message/plain-text.ts';

/** channels.md, Slack incoming webhook: hard limits, counted after escaping, and our own budgets. */
const headerLimit = 150;
const sectionLimit = 3_000;
const fieldsLimit = 10;
/** Our limit, far below Slack's 2,000: nine such fields and two sections stay under the text budget. */
const fieldLimit = 500;
const blocksBudget = 45;
const textBudget = 12_000;
/** What leaves room for the heading, the buttons and the closing of a message. */
const paragraphsBudget = 10_000;
const mostParagraphs = 40;
/** In bytes: an edit of a message takes 4,000. */
const fallbackBytes = 3_900;
const buttonLimit = 75;
const altLimit = 2_000;
/** Each alert of a digest is one section. 45 sections of this length exceed the text budget. */
const digestLineLimit = 500;
/** How many of the cheapest listings are shown. */
const mostListings = 5;

type Block = Record<string, unknown>;

/** The JSON body of one message. */
export function renderSlack(message: Message): string {
  return JSON.stringify(slackContent(message));
}

/** The fields of a message, for a webhook and for the Web API. */
export function slackContent(message: Message): Record<string, unknown> {
  return {
    text: topText(message.headline),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: slackBlocks(message),
  };
}

/** The blocks of a message. */
export function slackBlocks(message: Message): Block[] {
  const [only] = message.alerts;
  const paragraphs = paragraphBlocks(message);
  const closing = closingBlocks(message);
  if (message.kind === 'alert' && only) {
    return [...alertBlocks(only), ...paragraphs, ...buttonBlocks(message.links), ...closing];
  }
  const before = [header(message.headline), ...paragraphs, ...buttonBlocks(message.links)];
  const digest = message.kind === 'digest' ? digestBlocks(message, before, closing) : [];
  return [...before, ...digest, ...closing];
}

/** The message as text alone, for a receiver that refused the blocks. */
export function renderSlackText(message: Message): string {
  return JSON.stringify(slackTextContent(message));
}

/** The fields of a message without blocks. */
export function slackTextContent(message: Message): Record<string, unknown> {
  const { alerts, headline, paragraphs } = message;
  const told = alerts.flatMap((alert) => [alert.headline, alert.moves?.text ?? '']);
  const lines = [headline, ...paragraphs, ...told].filter((line) => line !== '');
  return { text: topText([...new Set(lines)].join('\n')), mrkdwn: false, unfurl_links: false };
}

/** The sentences of a notice can be many: a recap tells of each rule. */
function paragraphBlocks({ paragraphs }: Message): Block[] {
  const blocks = paragraphs.map((text) => section(text));
  const shown = linesThatFit(blocks.slice(0, mostParagraphs), paragraphsBudget, sizeOf);
  const left = blocks.length - shown.length;
  return left === 0 ? shown : [...shown, moreBlock(left, undefined)];
}

function alertBlocks(alert: AlertMessage): Block[] {
  const { lead, place, value, detail, event, sparkline, chart, listings, episode } = alert;
  const title = `${lead}: ${place}`;
  // A header that is too long is cut, so the place is said in full below.
  const isCut = escapeSlack(title).length > headerLimit;
  const under = [isCut ? place : '', whenAndWhere(event), ...listings.slice(0, mostListings)];
  const lines = under.filter((line) => line !== '');
  const fields = factsOf(alert).map(([label, text]) => plain(`${label}\n${text}`, fieldLimit));
  const since = episode ? `*${escapeSlack(episode.line)}*` : '';
  const mark = episode?.isOver ? '~' : '*';
  const told = `${mark}${escapeSlack(value)}${mark} ${escapeSlack(detail)}`;
  return [
    header(title),
    // None of these holds a name from the market.
    marked([since, told, sparkline].filter((line) => line !== '').join('\n')),
    ...(lines.length > 0 ? [section(lines.join('\n'))] : []),
    ...(chart ? [image(chart)] : []),
    ...(fields.length > 0 ? [{ type: 'section', fields: fields.slice(0, fieldsLimit) }] : []),
  ];
}

function image({ url, alt }: MessageChart): Block {
  return { type: 'image', image_url: url, alt_text: fitInto(alt, { limit: altLimit }) };
}

function digestBlocks(
  { alerts, moreUrl }: Message,
  before: readonly Block[],
  after: readonly Block[],
): Block[] {
  const blocks: Block[] = [];
  let room = textBudget - sizeOf([...before, ...after, moreBlock(alerts.length, moreUrl)]);
  const places = blocksBudget - before.length - after.length - 1;
  let told = 0;
  for (const { event, alerts: ofEvent } of eventGroups(alerts)) {
    const when = whenAndWhere(event);
    const heading = section(when === '' ? event.name : `${event.name}\n${when}`, digestLineLimit);
    const [first, ...others] = ofEvent.map((alert) => digestSection(alert));
    const lots = first ? [[heading, first], ...others.map((other) => [other])] : [];
    for (const lot of lots) {
      room -= sizeOf(lot);
      if (room < 0 || blocks.length + lot.length > places) {
        return [...blocks, moreBlock(alerts.length - told, moreUrl)];
      }
      blocks.push(...lot);
      told += 1;
    }
  }
  return blocks;
}

/** One alert of a digest, with a button to its page. */
function digestSection(alert: AlertMessage): Block {
  const { lead, moves, listings, pageUrl } = alert;
  const scope = scopeInDigest(alert);
  const where = scope === undefined ? '' : ` · ${scope}`;
  const lines = [`${lead}${where}`, listings[0], afterLead(alert), moves?.text];
  const text = lines.filter((line) => line !== undefined && line !== '').join('\n');
  const open = pageUrl === undefined ? {} : { accessory: button('Open', pageUrl, 'open') };
  return { ...section(text, digestLineLimit), ...open };
}

function moreBlock(count: number, url: string | undefined): Block {
  const text = moreText(count);
  return url === undefined ? section(text) : marked(link(url, text));
}

function buttonBlocks(links: readonly MessageLink[]): Block[] {
  if (links.length === 0) return [];
  const elements = links.map(({ label, url }, index) => ({
    ...button(label, url, `link_${index}`),
    ...(index === 0 && { style: 'primary' }),
  }));
  return [{ type: 'actions', elements }];
}

function button(label: string, url: string, actionId: string) {
  return { type: 'button', text: plain(label, buttonLimit), url, action_id: actionId };
}

function closingBlocks({ alerts, stopUrl }: Message): Block[] {
  const parts = [
    ...(alerts.length > 0 ? [escapeSlack(listedPrices)] : []),
    ...(stopUrl === undefined ? [] : [link(stopUrl, 'Stop or snooze')]),
  ];
  if (parts.length === 0) return [];
  const text = { type: 'mrkdwn', text: parts.join(' · '), verbatim: true };
  return [{ type: 'context', elements: [text] }];
}

function link(url: string, label: string): string {
  return `<${escapeSlack(url).replaceAll('|', '%7C').replaceAll('&gt;', '%3E')}|${label}>`;
}

function header(text: string): Block {
  return { type: 'header', text: plain(text, headerLimit) };
}

function section(text: string, limit = sectionLimit): Block {
  return { type: 'section', text: plain(text, limit) };
}

/** Our own words with our own markup. */
function marked(text: string): Block {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function plain(text: string, limit: number) {
  return { type: 'plain_text', text: escaped(text, limit), emoji: false };
}

/** In the text of a message Slack makes links of addresses and emoji of their codes. */
function topText(text: string): string {
  const room = { limit: fallbackBytes, measure: utf8Bytes, escape: escapeSlack };
  return fitInto(withoutAutoLinks(text), room);
}

function escaped(text: string, limit: number): string {
  return fitInto(text, { limit, escape: escapeSlack });
}

/** Slack's whole escaping: these three characters and no others. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
}
