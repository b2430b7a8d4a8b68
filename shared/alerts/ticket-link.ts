// The addresses where tickets of an event are sold: its page at Ticketmaster, and the marketplaces of the
// deployment's link templates.
import * as z from 'zod';
import type { Alert } from './alert.ts';

/** An address with placeholders, and the name of the place that it leads to. */
export interface BuyLinkTemplate {
  label: string;
  url: string;
}

/** A link for people. */
export interface TicketLink {
  label: string;
  url: string;
}

/** What a link is made of, as an alert has it. */
export type TicketFacts = Pick<Alert, 'eventId' | 'eventName' | 'eventDate' | 'tmEventId'>;

/** No search needs more of a name. */
const longestName = 100;
/** Of a filled address: a button of Discord and a link of Pushover take no longer one. */
const longestLink = 512;

/** The value of each placeholder; undefined where the event's fact is unknown. */
const placeholders = {
  event_id: ({ eventId }) => String(eventId),
  tm_event_id: ({ tmEventId }) => tmEventId,
  event_name: ({ eventName }) => eventName,
  event_date: ({ eventDate }) => eventDate,
} as const satisfies Record<string, (facts: TicketFacts) => string | undefined>;
type Placeholder = keyof typeof placeholders;

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name);
const placeholder = /\{(\w+)\}/g;

const ticketmaster: BuyLinkTemplate = {
  label: 'Ticketmaster',
  url: 'https://www.ticketmaster.com/event/{tm_event_id}',
};

/**
 * The links of an event, Ticketmaster first. A link whose facts are unknown is left out, and one that is too long
 * without the event's name, so the list can be empty.
 */
export function ticketLinks(
  facts: TicketFacts,
  templates: readonly BuyLinkTemplate[],
): TicketLink[] {
  return [ticketmaster, ...templates].flatMap(({ label, url }) => {
    const filled = fillWithin(url, facts);
    return filled === undefined ? [] : [{ label, url: filled }];
  });
}

/** Cuts the name as far as the address has to be shorter: a letter of some scripts takes nine characters there. */
function fillWithin(template: string, facts: TicketFacts): string | undefined {
  let letters = [...facts.eventName.toWellFormed()].slice(0, longestName);
  for (;;) {
    const filled = fill(template, { ...facts, eventName: letters.join('') });
    if (filled === undefined || filled.length <= longestLink) return filled;
    if (letters.length === 0) return undefined;
    letters = letters.slice(0, Math.floor(letters.length * 0.9));
  }
}

function fill(template: string, facts: TicketFacts): string | undefined {
  let isWhole = true;
  const filled = template.replace(placeholder, (_, name: string) => {
    const value = isPlaceholder(name) ? placeholders[name](facts) : undefined;
    if (value === undefined) isWhole = false;
    return encoded(value ?? '');
  });
  return isWhole ? filled : undefined;
}

/** Also encodes the characters that end an address in the markup of chats. */
function encoded(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*_~]/g, (mark) => {
    return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

const mostTemplates = 5;
const longestLabel = 30;
const longestUrl = 300;

/**
 * `Label=https://…/{event_name}`, several separated by `|`: the form of the parameter `BuyLinkTemplates`. Empty
 * for none.
 */
export const buyLinkTemplates = z.string().transform((text, context): BuyLinkTemplate[] => {
  const entries = text.trim() === '' ? [] : text.split('|').map((entry) => entry.trim());
  const faults = entries.flatMap((entry) => templateFault(entry) ?? []);
  if (entries.length > mostTemplates) faults.push(`has more than ${mostTemplates} links`);
  for (const message of faults) context.addIssue({ code: 'custom', message });
  return entries.map(readTemplate);
});

/** The variable of the functions that show links to tickets. */
export const buyLinkVariables = { BUY_LINK_TEMPLATES: buyLinkTemplates };

function readTemplate(entry: string): BuyLinkTemplate {
  const [label = '', ...url] = entry.split('=');
  return { label: label.trim(), url: url.join('=').trim() };
}

/** Why an entry can't be used. */
function templateFault(entry: string): string | undefined {
  const { label, url } = readTemplate(entry);
  const where = `link "${label}"`;
  if (!entry.includes('=') || label === '' || label.length > longestLabel || /\p{C}/u.test(label)) {
    return `"${entry}" must be a name of 1 to ${longestLabel} characters, an equals sign and an address`;
  }
  if (url.length > longestUrl) return `${where} is longer than ${longestUrl} characters`;
  const names = [...url.matchAll(placeholder)].map(([, name = '']) => name);
  const unknown = names.find((name) => !isPlaceholder(name));
  if (unknown !== undefined) {
    const known = Object.keys(placeholders).map((name) => `{${name}}`);
    return `${where} has the placeholder {${unknown}}; known are ${known.join(', ')}`;
  }
  return address.test(url)
    ? undefined
    : `${where} must be an https address without a user name, with placeholders after its host only`;
}

/** An https address whose placeholders come after its host, so that every event's link has the same host. */
const address =
  /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?([/?#]([^\s"'<>\\^`{}|]|\{\w+\})*)?$/i;
