// Microsoft Teams by a workflow (Power Automate): its URLs, a message as an Adaptive Card, and the meaning of
// its answers. All text is in text runs, where Teams interprets no markup.
import { type AlertMessage, factsOf, type Message } from '../message/message.ts';
import { fitInto, utf8Bytes } from '../message/plain-text.ts';
import type { PostAnswer } from '../outbound/post-answer.ts';
import { retryAfterMs } from '../outbound/retry-after.ts';
import type { HttpForm } from './channel-kind.ts';
import { isSuccess, mayPass, refused, unconfirmed } from './judgement.ts';
import { chatHeaders, chatRow } from './url-target.ts';

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
  messagesPerSecond: 2,
  example: 'https://prod-1.westus.logic.azure.com/workflows/1?sig=token',
});

export const teamsForm: HttpForm<{ kind: 'teams'; url: string }> = {
  request: ({ message }, { url }) => ({ url, headers: chatHeaders, body: renderTeams(message) }),
  plainerBody: (message) => renderTeams(message, { isSmall: true }),

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
  const body: Element[] = [heading(message.headline), ...message.paragraphs.map((p) => line(p))];
  const rest = message.kind === 'digest' ? digestLines(message.alerts) : factLines(message.alerts);
  const actions = actionsOf(message);
  let room = budget - sizeOf(wrap(message.headline, [...body, line(moreText(999))], actions));
  let taken = 0;
  for (const element of rest) {
    room -= sizeOf(element) + 1;
    if (room < 0) break;
    body.push(element);
    taken += 1;
  }
  if (taken < rest.length) body.push(line(moreText(rest.length - taken)));
  return JSON.stringify(wrap(message.headline, body, actions));
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
          body,
          actions,
        },
      },
    ],
  };
}

function factLines(alerts: readonly AlertMessage[]): Element[] {
  return alerts.flatMap((alert) => [
    ...factsOf(alert).map(([label, text]) => labelled(label, text)),
    ...alert.listings.map((listing) => line(listing)),
  ]);
}

function digestLines(alerts: readonly AlertMessage[]): Element[] {
  return alerts.map(({ headline, moves }) =>
    moves === undefined
      ? line(headline, digestLineBytes)
      : richText([
          run(headline, digestLineBytes),
          { ...run(` ${moves.text}`, lineBytes), isSubtle: true },
        ]),
  );
}

function actionsOf({ action, stopUrl }: Message): Element[] {
  return [
    ...(action ? [openUrl(action.label, action.url)] : []),
    ...(stopUrl === undefined ? [] : [openUrl('Stop or snooze', stopUrl)]),
  ];
}

function openUrl(title: string, url: string): Element {
  return { type: 'Action.OpenUrl', title, url };
}

function heading(text: string): Element {
  return richText([{ ...run(text, lineBytes), weight: 'Bolder', size: 'Medium' }]);
}

function labelled(label: string, text: string): Element {
  return richText([{ ...run(`${label}: `, lineBytes), isSubtle: true }, run(text, lineBytes)]);
}

function line(text: string, bytes = lineBytes): Element {
  return richText([run(text, bytes)]);
}

function richText(inlines: Element[]): Element {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string, bytes: number): Element {
  return { type: 'TextRun', text: cut(text, bytes) };
}

/** Counts the bytes of the JSON, because escaping lengthens quotes and backslashes. */
function cut(text: string, limit: number): string {
  return fitInto(text, { limit, measure: (part) => utf8Bytes(JSON.stringify(part)) - 2 });
}

function moreText(count: number): string {
  return `and ${count} more`;
}

function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
