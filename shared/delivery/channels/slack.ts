// Slack: its URLs, a message as blocks (Block Kit), and the meaning of its answers. All text except our own
// link is plain text, so no name from the market becomes a link, a mention or markup.
import { type AlertMessage, factsOf, type Message } from '../message/message.ts';
import { fitInto } from '../message/plain-text.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { gone, isSuccess, type Judgement, mayPass, refused, unconfirmed } from './judgement.ts';
import { chatHeaders, chatRow } from './url-target.ts';

export const slack = chatRow('slack', {
  label: 'Slack',
  // Slack's workflow triggers (/triggers/) take JSON that their owner defines, so they count as webhooks.
  isOwnUrl: ({ hostname, pathname }) =>
    /^hooks\.slack(-gov)?\.com$/.test(hostname) && pathname.startsWith('/services/'),
  acceptsOnlyItsForm: true,
  messagesPerSecond: 1,
  example: 'https://hooks.slack.com/services/T/B/X',
});

export const slackForm: HttpForm<{ kind: 'slack'; url: string }> = {
  request: ({ message }, { url }) => ({ url, headers: chatHeaders, body: renderSlack(message) }),
  plainerBody: (message) => renderSlackText(message),

  judge(answer, now) {
    if (isSuccess(answer)) return answer.excerpt.trim() === 'ok' ? { kind: 'sent' } : unconfirmed();
    if ([403, 404, 410].includes(answer.status) || isPlaceGone(answer)) return gone(answer);
    if (answer.status === 413) return { kind: 'reshape', reason: 'http_413' };
    if (answer.status === 400) return judgeBadRequest(answer);
    return mayPass(answer, retryAfterMs(answer.headers['retry-after'], now));
  },
};

/** Slack's answers with status 400 when the destination can't be written to, whatever the message. */
const placeGone =
  /^(user_not_found|channel_not_found|channel_is_archived|no_service|no_service_id|no_team|no_active_hooks|team_disabled|invalid_token|action_prohibited|posting_to_general_channel_denied)$/;

function isPlaceGone({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && placeGone.test(excerpt.trim());
}

/** Retries once in a plainer form if Slack rejected the form. */
function judgeBadRequest(answer: PostAnswer): Judgement {
  return /block|payload|text/.test(answer.excerpt)
    ? { kind: 'reshape', reason: 'http_400' }
    : refused(answer);
}

/** channels.md, Slack incoming webhook: hard limits, counted after escaping, and our own budgets. */
const headerLimit = 150;
const sectionLimit = 3_000;
const fieldsLimit = 10;
/** Our limit, far below Slack's 2,000: nine such fields and two sections stay under the text budget. */
const fieldLimit = 500;
const blocksBudget = 45;
const textBudget = 12_000;
const fallbackLimit = 3_000;
const headlineLimit = 2_000;
/** Each alert of a digest is one section. 45 sections of this length exceed the text budget. */
const digestLineLimit = 500;

type Block = Record<string, unknown>;

/** The JSON body of one message. */
export function renderSlack(message: Message): string {
  const blocks = [header(message.headline), ...message.paragraphs.map((text) => section(text))];
  const [only] = message.alerts;
  if (message.kind === 'alert' && only) blocks.push(...alertBlocks(only));
  const closing = closingBlocks(message);
  if (message.kind === 'digest') blocks.push(...digestBlocks(message.alerts, blocks, closing));
  return JSON.stringify({
    text: escaped(message.headline, fallbackLimit),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [...blocks, ...closing],
  });
}

/** The message as text alone, for a receiver that refused the blocks. */
export function renderSlackText(message: Message): string {
  const told = message.alerts.flatMap(({ headline, moves }) => [headline, moves?.text ?? '']);
  const lines = [message.headline, ...message.paragraphs, ...told].filter((line) => line !== '');
  return JSON.stringify({
    text: escaped([...new Set(lines)].join('\n'), fallbackLimit),
    mrkdwn: false,
    unfurl_links: false,
  });
}

function alertBlocks(alert: AlertMessage): Block[] {
  // A header may cut the headline, so repeat it in full.
  const blocks = [section(alert.headline, headlineLimit)];
  const fields = factsOf(alert).map(([label, text]) => plain(`${label}: ${text}`, fieldLimit));
  blocks.push({ type: 'section', fields: fields.slice(0, fieldsLimit) });
  if (alert.listings.length > 0) blocks.push(section(alert.listings.join('\n')));
  return blocks;
}

function digestBlocks(alerts: readonly AlertMessage[], before: Block[], after: Block[]): Block[] {
  const blocks: Block[] = [];
  let room = textBudget - sizeOf([...before, ...after, section(moreText(alerts.length))]);
  const places = blocksBudget - before.length - after.length - 1;
  for (const { headline, moves } of alerts) {
    const block = digestSection(headline, moves?.text);
    room -= sizeOf([block]);
    if (room < 0 || blocks.length === places) break;
    blocks.push(block);
  }
  const left = alerts.length - blocks.length;
  return left === 0 ? blocks : [...blocks, section(moreText(left))];
}

/** The moves are short, so cut the headline. */
function digestSection(headline: string, moves: string | undefined): Block {
  if (moves === undefined) return section(headline, digestLineLimit);
  const { text } = plain(headline, digestLineLimit - moves.length - 1);
  return { type: 'section', text: { type: 'plain_text', text: `${text}\n${moves}`, emoji: false } };
}

function moreText(count: number): string {
  return `and ${count} more`;
}

function closingBlocks({ action, stopUrl }: Message): Block[] {
  const links = [
    ...(action ? [link(action.url, action.label)] : []),
    ...(stopUrl === undefined ? [] : [link(stopUrl, 'Stop or snooze')]),
  ];
  if (links.length === 0) return [];
  const text = { type: 'mrkdwn', text: links.join(' · '), verbatim: true };
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

function plain(text: string, limit: number) {
  return { type: 'plain_text', text: escaped(text, limit), emoji: false };
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
