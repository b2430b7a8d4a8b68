// The HTML of the pages behind a message's links: no script, and nothing loaded but a chart of ours. The caller
// decides what a page says and which buttons it has.
import type { TicketLink } from '#shared/alerts/ticket-link.ts';
import { chartSize } from '#shared/charts/chart-scale.ts';
import { html, type Markup } from '#shared/delivery/message/markup.ts';
import { pageStyle } from './page-style.ts';

/** A button of a page; `act` is what its form posts. */
export interface Press {
  act: string;
  label: string;
  /** What the button does, as a sentence. */
  hint?: string | undefined;
  /** What its form posts beside. */
  fields?: Readonly<Record<string, string>>;
  /** Its form has a field for the price of one ticket. */
  price?: PriceField | undefined;
  /** It ends all messages, so it never stands out. */
  isLast?: boolean;
}

/** A field for the price of one ticket. */
export interface PriceField {
  /** What the reader wrote. */
  value: string;
  /** What is wrong with it. */
  fault?: string | undefined;
}

/** What the page is mainly for: a question with its one button. */
export interface Question {
  title: string;
  /** It is so already; the button takes it back. */
  isDone?: boolean;
  lines: string[];
  press?: Press | undefined;
}

export interface LinkPage {
  title: string;
  /** Under the title: date and place of an event. */
  subtitle?: string | undefined;
  /** Why a press did nothing. */
  notice?: string | undefined;
  question?: Question | undefined;
  /** The number that a rule watches, large, and a line about it. */
  value?: { text: string; about: string } | undefined;
  chart?: PageChart | undefined;
  tickets?: TicketLink[];
  facts?: [name: string, text: string][];
  lines: string[];
  presses: Press[];
  /** Pages that this one leads to. */
  entries?: PageEntry[];
}

/** The picture of an alert's chart. */
export interface PageChart {
  /** The path of the picture; `?theme=dark` is its dark form. */
  path: string;
  /** The same in words. */
  alt: string;
  /** Which time it shows. */
  caption: string;
}

/** A row that leads to a page. */
export interface PageEntry {
  /** What stands out, such as "$74 ▼ 18%", and its look. */
  lead: string;
  look?: 'fall' | 'rise' | undefined;
  /** A moment, or another short word at the row's end. */
  at: string;
  text: string;
  url: string;
}

/** A whole HTML document; its forms post to the page's own address. */
export function renderLinkPage(page: LinkPage): string {
  const { title, notice } = page;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Getin</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p class="mark"><i></i>Getin</p>
${notice === undefined ? undefined : noticeHtml(notice)}${cardsOf(page).map(
  (card) => html`<section>\n${card}</section>\n`,
)}</main>
</body>
</html>
`;
  return text;
}

/** A short page is one card; a page with a table has its buttons apart, and its question first. */
function cardsOf(page: LinkPage): Markup[] {
  const { title, subtitle, question, facts = [], presses } = page;
  const head = html`<h1 dir="auto">${title}</h1>\n${
    subtitle === undefined ? undefined : html`<p class="soft" dir="auto">${subtitle}</p>\n`
  }`;
  const { entries = [] } = page;
  if (entries.length > 0) return [html`${head}${aboutHtml(page)}`, entriesHtml(entries)];
  if (facts.length === 0) return [html`${head}${aboutHtml(page)}${formsHtml(page)}`];
  const about = question
    ? [html`${head}${questionHtml(question)}`, aboutHtml(page)]
    : [html`${head}${aboutHtml(page)}`];
  return presses.length > 0 ? [...about, formsHtml(page)] : about;
}

/** What is true now. */
function aboutHtml({ value, chart, tickets = [], facts = [], lines, question }: LinkPage): Markup {
  return html`${value && valueHtml(value)}${chart && chartHtml(chart)}${
    tickets.length > 0 ? ticketsHtml(tickets, !question) : undefined
  }${facts.length > 0 ? factsHtml(facts) : undefined}${lines.map(lineHtml)}`;
}

/** The first button stands out, unless something above it does. */
function formsHtml({ presses, question, tickets = [] }: LinkPage): Markup {
  const isFirst = ({ isLast }: Press, index: number) =>
    index === 0 && !isLast && !question && tickets.length === 0;
  return html`${presses.map((press, index) => formHtml(press, isFirst(press, index)))}`;
}

function noticeHtml(text: string): Markup {
  return html`<p class="notice" role="status" dir="auto">${text}</p>\n`;
}

function questionHtml({ title, isDone = false, lines, press }: Question): Markup {
  const form = press && formHtml(press, !isDone);
  const look = isDone ? html` class="done"` : undefined;
  const role = isDone ? html` role="status"` : undefined;
  return html`<div class="asked"${role}>\n<h2${look} dir="auto">${title}</h2>\n${lines.map(lineHtml)}${form}</div>\n`;
}

function valueHtml({ text, about }: NonNullable<LinkPage['value']>): Markup {
  return html`<div><p class="big">${text}</p>\n<p class="soft" dir="auto">${about}</p></div>\n`;
}

/** As large as `chartSvg` draws it. */
function chartHtml({ path, alt, caption }: PageChart): Markup {
  const { width, height } = chartSize;
  return html`<figure><picture><source media="(prefers-color-scheme: dark)" srcset="${path}?theme=dark"><img src="${path}" width="${width}" height="${height}" alt="${alt}"></picture>
<figcaption class="soft small">${caption}</figcaption></figure>
`;
}

/** Rows as tall as a thumb needs, of which the whole can be pressed. */
function entriesHtml(entries: readonly PageEntry[]): Markup {
  const rows = entries.map(({ lead, look, at, text, url }) => {
    const first = html`<b${look && html` class="${look}"`}>${lead}</b> <span class="soft small">${at}</span>`;
    return html`<li><a href="${url}">${first} <span class="text" dir="auto">${text}</span></a></li>\n`;
  });
  return html`<ul>\n${rows}</ul>\n`;
}

/** The places belong to others: they are not told this page's address. */
function ticketsHtml(tickets: readonly TicketLink[], isFirst: boolean): Markup {
  const links = tickets.map(
    ({ label, url }, index) =>
      html`<a class="button${isFirst && index === 0 ? ' primary' : ''}" href="${url}" rel="noopener noreferrer">${label}</a>\n`,
  );
  return html`<div class="tickets">\n${links}</div>\n`;
}

function factsHtml(facts: readonly [string, string][]): Markup {
  const rows = facts.map(([name, text]) => html`<dt>${name}</dt><dd dir="auto">${text}</dd>\n`);
  return html`<dl>\n${rows}</dl>\n`;
}

function lineHtml(line: string): Markup {
  return html`<p dir="auto">${line}</p>\n`;
}

function formHtml({ act, label, hint, fields = {}, price }: Press, isFirst: boolean): Markup {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const look = lookOfForm({ hint, price });
  return html`<form method="post"${look}>
${hidden}${hint === undefined ? undefined : html`<p class="hint soft small" dir="auto">${hint}</p>\n`}${
  price && priceHtml(price)
}<button${isFirst ? html` class="primary"` : undefined} type="submit" name="do" value="${act}">${label}</button>
</form>
`;
}

/** A form is a row of what it does and its button; with a field it is a column, and without words only a button. */
function lookOfForm({ hint, price }: Pick<Press, 'hint' | 'price'>): Markup | undefined {
  if (price) return html` class="wide"`;
  return hint === undefined ? html` class="alone"` : undefined;
}

function priceHtml({ value, fault }: PriceField): Markup {
  const state =
    fault === undefined ? undefined : html` aria-invalid="true" aria-describedby="fault" autofocus`;
  return html`<label>Price of one ticket (optional)
<span class="money">$<input type="text" name="paid" inputmode="decimal" autocomplete="off" maxlength="30" value="${value}"${state}></span></label>
${fault === undefined ? undefined : html`<p class="fault" id="fault" role="alert">${fault}</p>\n`}`;
}
