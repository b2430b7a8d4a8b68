// The HTML of the pages behind a message's links. The caller decides which buttons a page has.

import type { Channel } from '#shared/delivery/channel.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { eventDateText } from '#shared/delivery/message/figures.ts';
import { html, Markup } from '#shared/delivery/message/markup.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';

/** A button of a page; `act` is what its form posts. */
export interface Press {
  act: string;
  label: string;
}

export interface LinkPage {
  title: string;
  lines: string[];
  presses: Press[];
}

/** Our own constant style sheet; it contains no character that HTML would parse inside a style element. */
const styles = new Markup(`
:root { color-scheme: light dark; }
body { margin: 0; padding: 32px 16px; font: 16px/1.5 system-ui, sans-serif; background: #f2f4f7; color: #101828; }
main { max-width: 520px; margin: 0 auto; background: #ffffff; border: 1px solid #e4e7ec; border-radius: 12px; padding: 24px; overflow-wrap: anywhere; }
h1 { font-size: 20px; line-height: 1.35; margin: 0 0 12px; }
p { margin: 0 0 12px; }
form { display: flex; flex-direction: column; gap: 8px; margin: 20px 0 0; }
button { font: inherit; font-weight: 600; padding: 12px 16px; border-radius: 8px; border: 1px solid #d0d5dd; background: transparent; color: inherit; cursor: pointer; }
button:first-child { background: #1d4ed8; border-color: #1d4ed8; color: #ffffff; }
@media (prefers-color-scheme: dark) {
  body { background: #0c111d; color: #f2f4f7; }
  main { background: #161b26; border-color: #333741; }
  button { border-color: #4b5263; }
}
`);

/** A whole HTML document; its form posts to the page's own address. */
export function renderLinkPage({ title, lines, presses }: LinkPage): string {
  const buttons = presses.map(
    ({ act, label }) => html`<button name="do" value="${act}">${label}</button>\n`,
  );
  const form = presses.length > 0 ? html`<form method="post">\n${buttons}</form>\n` : undefined;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Getin</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1 dir="auto">${title}</h1>
${lines.map((line) => html`<p dir="auto">${line}</p>\n`)}${form}</main>
</body>
</html>
`;
  return text;
}

/** The addresses that alerts are sent to, in words, for the first line of a page. */
export function placeLine(channel: Channel): string {
  return `Alerts go to your ${nameText(channelTitle(channel))}.`;
}

/** An event's name, date and place, for the first line of a page. */
export function factsLine(facts: {
  name: string;
  date?: string | undefined;
  time?: string | undefined;
  venueName?: string | undefined;
}): string {
  const parts = [facts.name, eventDateText(facts.date, facts.time), facts.venueName];
  return nameText(parts.filter((part) => part !== undefined).join(' · '));
}
