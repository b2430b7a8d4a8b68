// Microsoft Teams by a workflow (Power Automate): its URLs, a message as an Adaptive Card, and the meaning of
// its answers. All text is in text runs, where Teams interprets no markup.
import { partsAfterLead } from '../message/digest-line.ts';
import {
  type AlertMessage,
  eventGroups,
  factsOf,
  listedPrices,
  type Message,
  moreText,
  whenAndWhere,
} from '../message/message.ts';
import { fitInto, utf8Bytes } from '../message/plain-text.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { isSuccess, mayPass, refused, unconfirmed } from './judgement.ts';
import { chatHeaders, chatRow, urlSecrets } from './url-target.ts';

/**
 * The hosts of workflow triggers, in the public cloud and in those of governments and of China. Microsoft
 * has retired the connectors at webhook.office.com.
 */
const workflowHosts =
  /\.(logic\.azure\.(com|us|cn)|api\.powerplatform\.com|api\.(gov|high)\.powerplatform\.microsoft\.us|api\.appsplatform\.us|api\.powerplatform\.partner\.microsoftonline\.cn)$/;

export const teams = chatRow('teams', {
  label: 'Teams',
  isOwnUrl: ({ hostname }) => workflowHosts.test(hostname),
  // A workflow may also take generic JSON; such a workflow is a webhook at the same host.
  acceptsOnlyItsForm: false,
  pace: { messages: 2, perMs: 1_000 },
  example: 'https://prod-1.westus.logic.azure.com/workflows/1?sig=token',
  guide: {
    about: 'A card with a picture and buttons in one channel.',
    steps: [
      'In Teams, open the ⋯ menu of the channel and choose “Workflows”.',
      'Choose the workflow that posts to a channel when a webhook request is received, and add it.',
      'Copy the URL that it shows at the end.',
    ],
    fields: [
      {
        ...{ name: 'url', label: 'URL of the workflow', form: 'url' },
        example: 'https://….logic.azure.com/workflows/…',
        hint: 'The workflow belongs to your account, and ends with it.',
      },
    ],
  },
});

export const teamsForm: HttpForm<{ kind: 'teams'; url: string }> = {
  request: ({ message }, { url }) => ({ url, headers: chatHeaders, body: renderTeams(message) }),
  plainerBody: (message) => renderTeams(message, { isSmall: true }),
  secretsOf: urlSecrets,

  /** Teams also reports errors inside an answer with status 200 (B64). */
  judge(answer, now) {
    const [, wrapped] = /HTTP error (\d{3})/.exec(answer.excerpt) ?? [];
    const status = wrapped === undefined ? answer.status : Number(wrapped);
    const real = { ...answer, status };
    if (status === 202 || (isSuccess(real) && ['', '1'].includes(answer.excerpt.trim()))) {
      return { kind: 'sent' };
    }
    if (isSuccess(real)) return unconfirmed();
    if (status === 413) return { kind: 'reshape', reason: 'http_413' };
    if (status === 401 || status === 404 || isFlowOff(real)) {
      return { kind: 'failed', reason: `http_${status}`, channelIs: 'perhaps_gone' };
    }
    if (status === 400) return refused(real);
    return mayPass(real, retryAfterMs(answer.headers['retry-after'], now));
  },
};

/** The flow is switched off, or its owner changed it to expect another shape of message. */
function isFlowOff({ status, excerpt }: PostAnswer): boolean {
  return status === 400 && /WorkflowTriggerIsNotEnabled|TriggerInputSchemaMismatch/.test(excerpt);
}

/** channels.md, Microsoft Teams: about 28 KB for the whole message; ours stays under 20 KB. */
const bytesBudget = 20_000;
/** The size for the retry when a flow refuses the first size. */
const smallBytesBudget = 8_000;
const lineBytes = 1_500;
const digestLineBytes = 500;

type Element = Record<string, unknown>;

export interface TeamsOptions {
  /** Uses the smaller budget, for a receiver that refused the size. @default false */
  isSmall?: boolean;
}

/** The JSON body of one message. */
export function renderTeams(message: Message, { isSmall = false }: TeamsOptions = {}): string {
  const budget = isSmall ? smallBytesBudget : bytesBudget;
  const [only] = message.alerts;
  const alert = message.kind === 'alert' ? only : undefined;
  const paragraphs = message.paragraphs.map((text) => [line(text)]);
  const body = alert
    ? [...alertElements(alert, isSmall ? digestLineBytes : lineBytes), ...paragraphs.flat()]
    : [heading(message.headline)];
  const rest = alert ? factRows(alert) : [...paragraphs, ...digestLots(message.alerts)];
  const actions = actionsOf(message);
  const closing = message.alerts.length > 0 ? [small(listedPrices)] : [];
  const more = line(moreText(999));
  let room = budget - sizeOf(wrap(message.headline, [...body, more, ...closing], actions));
  let taken = 0;
  for (const lot of rest) {
    room -= sizeOf(lot);
    if (room < 0) break;
    body.push(...lot);
    taken += 1;
  }
  if (taken < rest.length) body.push(line(moreText(rest.length - taken)));
  return JSON.stringify(wrap(message.headline, [...body, ...closing], actions));
}

function wrap(headline: string, body: Element[], actions: Element[]) {
  return {
    type: 'message',
    summary: cut(headline, 300),
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          msteams: { width: 'Full' },
          body,
          actions,
        },
      },
    ],
  };
}

function alertElements(alert: AlertMessage, listingBytes: number): Element[] {
  const { lead, place, detail, event, listings, chart, sparkline } = alert;
  const colour = { down: 'Good', up: 'Warning', flat: 'Default' }[
    alert.isRecovery ? 'flat' : (alert.way ?? 'flat')
  ];
  const when = whenAndWhere(event);
  return [
    heading(`${lead}: ${place}`),
    ...(when === '' ? [] : [small(when)]),
    richText([{ ...run(detail, lineBytes), color: colour, weight: 'Bolder' }]),
    ...(chart
      ? [{ type: 'Image', url: chart.url, altText: cut(chart.alt, lineBytes), size: 'Stretch' }]
      : sparkline === ''
        ? []
        : [line(sparkline)]),
    ...listings.slice(0, mostListings).map((listing) => line(listing, listingBytes)),
  ];
}

/** How many of the cheapest listings are shown. */
const mostListings = 5;

/** Rows of two columns of text runs, because Teams reads the text of a FactSet as Markdown. */
function factRows(alert: AlertMessage): Element[][] {
  return factsOf(alert).map(([label, text]) => [
    {
      type: 'ColumnSet',
      spacing: 'Small',
      columns: [
        column('70px', richText([{ ...run(label, lineBytes), isSubtle: true }])),
        column('stretch', line(text)),
      ],
    },
  ]);
}

function column(width: string, item: Element): Element {
  return { type: 'Column', width, items: [item] };
}

/** An event's heading goes with its first alert. */
function digestLots(alerts: readonly AlertMessage[]): Element[][] {
  return eventGroups(alerts).flatMap(({ event, alerts: ofEvent }) => {
    const when = whenAndWhere(event);
    const name = { ...run(event.name, digestLineBytes), weight: 'Bolder' };
    const date = { ...run(when === '' ? '' : ` · ${when}`, digestLineBytes), isSubtle: true };
    const [first, ...others] = ofEvent.map((alert) => digestLine(alert));
    const title = { ...richText([name, date]), separator: true };
    return first ? [[title, first], ...others.map((other) => [other])] : [];
  });
}

/** One alert of a digest; a press on it opens its page. */
function digestLine(alert: AlertMessage): Element {
  const { lead, moves, pageUrl } = alert;
  const open = pageUrl === undefined ? {} : { selectAction: openUrl('Open', pageUrl) };
  const inlines = [
    { ...run(lead, digestLineBytes), weight: 'Bolder', ...open },
    run(` ${partsAfterLead(alert).join(' · ')}`, digestLineBytes),
    ...(moves === undefined ? [] : [{ ...run(` ${moves.text}`, lineBytes), isSubtle: true }]),
  ];
  return richText(inlines);
}

/** Teams shows six buttons of a card; the others are behind "…". */
function actionsOf({ links, stopUrl, moreUrl, kind }: Message): Element[] {
  return [
    ...links.map(({ label, url }) => openUrl(label, url)),
    ...(kind === 'digest' && moreUrl !== undefined ? [openUrl('All alerts', moreUrl)] : []),
    ...(stopUrl === undefined ? [] : [openUrl('Stop or snooze', stopUrl)]),
  ];
}

function openUrl(title: string, url: string): Element {
  return { type: 'Action.OpenUrl', title, url };
}

function heading(text: string): Element {
  return richText([{ ...run(text, lineBytes), weight: 'Bolder', size: 'Medium' }]);
}

function small(text: string): Element {
  return richText([{ ...run(text, lineBytes), isSubtle: true, size: 'Small' }]);
}

function line(text: string, bytes = lineBytes): Element {
  return richText([run(text, bytes)]);
}

function richText(inlines: Element[]): Element {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string, bytes: number): Element {
  return { type: 'TextRun', text: cut(asTyped(text), bytes) };
}

/** Card renderers replace {{DATE(…)}} and {{TIME(…)}} in every text; a word joiner between the braces stops that. */
function asTyped(text: string): string {
  return text.replace(/\{(?=\{)/g, '{\u2060');
}

/** Counts the bytes of the JSON, because escaping lengthens quotes and backslashes. */
function cut(text: string, limit: number): string {
  return fitInto(text, { limit, measure: (part) => utf8Bytes(JSON.stringify(part)) - 2 });
}

function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
