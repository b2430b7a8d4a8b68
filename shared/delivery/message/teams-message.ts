// A message as an Adaptive Card for a Teams workflow. All text stands in text runs, which Teams shows
// as they are, without markup. It does not send.
import { type AlertMessage, factsOf, type Message } from './message.ts';
import { fitInto, utf8Bytes } from './plain-text.ts';

/** channels.md, Microsoft Teams: about 28 KB for the whole message; ours stays under 20 KB. */
const bytesBudget = 20_000;
/** The size to shrink to when a flow says that even that was too large. */
const smallBytesBudget = 8_000;
const lineBytes = 1_500;
const digestLineBytes = 500;

type Element = Record<string, unknown>;

export interface TeamsOptions {
  /** Shrinks once more, for a receiver that refused the size. @default false */
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

/** Counted as JSON writes it, since quotes and backslashes grow there. */
function cut(text: string, limit: number): string {
  return fitInto(text, { limit, measure: (part) => utf8Bytes(JSON.stringify(part)) - 2 });
}

function moreText(count: number): string {
  return `and ${count} more`;
}

function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}
