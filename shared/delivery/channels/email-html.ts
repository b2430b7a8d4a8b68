// The HTML part of a mail: one column, readable at any width, light and dark, without any picture.
import { html, Markup } from '../message/markup.ts';
import { type AlertMessage, factsOf, type Message } from '../message/message.ts';

/** Gmail clips mails at about 102 KB; this many alerts stay far below. */
export const alertsPerMail = 40;

/** A constant of ours, so it needs no escaping inside the style element. */
const styles = new Markup(`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #f2f4f7; color: #101828; }
.page { padding: 24px 12px; }
.card { max-width: 600px; margin: 0 auto; background: #ffffff; border: 1px solid #e4e7ec; border-radius: 12px; padding: 24px; box-sizing: border-box; }
.card, .foot { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 1.5; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.35; font-weight: 650; }
h2 { margin: 0 0 4px; font-size: 16px; line-height: 1.4; font-weight: 600; }
p { margin: 0 0 16px; }
p:last-child { margin-bottom: 0; }
table { width: 100%; border-collapse: collapse; margin: 0 0 20px; font-size: 15px; }
th { text-align: left; vertical-align: top; font-weight: 400; color: #667085; padding: 6px 16px 6px 0; width: 96px; overflow-wrap: normal; }
td { vertical-align: top; padding: 6px 0; }
tr + tr th, tr + tr td { border-top: 1px solid #f2f4f7; }
.strong td { font-weight: 650; }
.soft { color: #667085; font-size: 14px; margin: 0; }
.moved { margin: 0 0 4px; font-size: 15px; }
.each { padding: 14px 0; border-top: 1px solid #e4e7ec; }
ul { margin: 0 0 20px; padding: 0 0 0 20px; font-size: 15px; }
.button { display: inline-block; background: #1d4ed8; color: #ffffff; text-decoration: none; font-weight: 600; padding: 12px 20px; border-radius: 8px; }
a { color: #1d4ed8; }
.foot { max-width: 600px; margin: 16px auto 0; font-size: 13px; color: #667085; text-align: center; }
.foot a { color: #667085; }
.soft a { white-space: nowrap; }
@media (max-width: 480px) {
  .page { padding: 12px 8px; }
  .card { padding: 18px 16px; }
  th { width: 80px; padding-right: 10px; }
}
@media (prefers-color-scheme: dark) {
  body { background: #0c111d; color: #f2f4f7; }
  .card { background: #161b26; border-color: #333741; }
  th, .soft, .foot, .foot a { color: #94a0b3; }
  tr + tr th, tr + tr td { border-color: #262b38; }
  .each { border-color: #333741; }
  .button { background: #3b6ef6; }
  a { color: #8fb0ff; }
  a.button { color: #ffffff; }
}
`);

/** A whole HTML document. */
export function renderEmailHtml(message: Message): string {
  const { action, stopUrl } = message;
  const button = action && html`<p><a class="button" href="${action.url}">${action.label}</a></p>`;
  const foot =
    stopUrl === undefined
      ? undefined
      : html`<div class="foot">You get this because you asked Getin to. <a href="${stopUrl}">Stop or snooze</a></div>`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Getin</title>
<style>${styles}</style>
</head>
<body>
<div class="page"><div class="card">
<h1 dir="auto">${message.headline}</h1>
${message.paragraphs.map((text) => html`<p>${text}</p>\n`)}${contentOf(message)}${button}
</div>${foot}</div>
</body>
</html>
`;
  return text;
}

function contentOf({ kind, alerts }: Message): Markup | undefined {
  const [only] = alerts;
  if (kind === 'alert' && only) return alertHtml(only);
  return kind === 'digest' ? digestHtml(alerts) : undefined;
}

const strongLabels = new Set(['Now']);

function alertHtml(alert: AlertMessage): Markup {
  const rows = factsOf(alert).map(
    ([label, text]) =>
      html`<tr${strongLabels.has(label) ? html` class="strong"` : undefined}><th scope="row">${label}</th><td dir="auto">${text}</td></tr>\n`,
  );
  const listings = alert.listings.map((line) => html`<li dir="auto">${line}</li>\n`);
  return html`<table>
${rows}</table>
${listings.length > 0 ? html`<ul>\n${listings}</ul>\n` : undefined}`;
}

function digestHtml(alerts: readonly AlertMessage[]): Markup {
  const shown = alerts.slice(0, alertsPerMail);
  const left = alerts.length - shown.length;
  const items = shown.map(
    ({ headline, observed, moves, watchUrl }) => html`<div class="each">
<h2 dir="auto">${headline}</h2>
${moves && html`<p class="moved">${moves.text}</p>\n`}<p class="soft">${observed}${watchUrl === undefined ? undefined : html` · <a href="${watchUrl}">Open the watch</a>`}</p>
</div>\n`,
  );
  return html`${items}${left > 0 ? html`<p>and ${left} more</p>\n` : undefined}`;
}
