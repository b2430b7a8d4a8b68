// The look of the pages behind links: the desk's colours, light and dark, for a phone first.
import { createHash } from 'node:crypto';
import { chartSize } from '#shared/charts/chart-scale.ts';
import { Markup } from '#shared/delivery/message/markup.ts';

/** The colours of both schemes; a test computes the contrast of each pair that the page uses. */
export const pageColours = {
  light: {
    ...{ paper: '#f7f7f4', surface: '#ffffff', ink: '#15171c', muted: '#5d6575' },
    ...{ line: '#e4e4de', edge: '#858c99', accent: '#0b6bcb', 'accent-ink': '#ffffff' },
    ...{ fall: '#0a7a4b', rise: '#b04a00', alarm: '#b3261e', 'alarm-soft': '#fbe9e7' },
    ...{ wait: '#7a5d00', 'wait-soft': '#f8f0d6' },
  },
  dark: {
    ...{ paper: '#0e1014', surface: '#16191f', ink: '#e8eaee', muted: '#9da6b5' },
    ...{ line: '#262b33', edge: '#6b7482', accent: '#5aa9f7', 'accent-ink': '#07121f' },
    ...{ fall: '#45c98b', rise: '#f0a060', alarm: '#ff8a80', 'alarm-soft': '#331a18' },
    ...{ wait: '#e3c25a', 'wait-soft': '#2a2412' },
  },
} as const;

const declared = (scheme: keyof typeof pageColours) =>
  Object.entries(pageColours[scheme])
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('');

/** A chart fits between the paddings and the borders. */
const cardWidth = chartSize.width + 2 * (24 + 1);

const text = `
:root { color-scheme: light dark; ${declared('light')} }
@media (prefers-color-scheme: dark) { :root { ${declared('dark')} } }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px 12px 48px; background: var(--paper); color: var(--ink); font: 16px/24px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%; }
main { max-width: ${cardWidth}px; margin: 0 auto; word-break: break-word; overflow-wrap: anywhere; }
p, h1, h2, dl, dd, ul, figure { margin: 0; padding: 0; }
.mark { display: flex; align-items: center; gap: 8px; padding: 0 4px 12px; font-weight: 700; letter-spacing: -0.02em; }
.mark i { width: 20px; height: 13px; border-radius: 3px; background: var(--accent); -webkit-mask: radial-gradient(circle 3px at 0 50%, #0000 98%, #000) 0 0/51% 100% no-repeat, radial-gradient(circle 3px at 100% 50%, #0000 98%, #000) 100% 0/51% 100% no-repeat; mask: radial-gradient(circle 3px at 0 50%, #0000 98%, #000) 0 0/51% 100% no-repeat, radial-gradient(circle 3px at 100% 50%, #0000 98%, #000) 100% 0/51% 100% no-repeat; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 20px; margin: 0 0 12px; display: grid; gap: 12px; }
h1 { font-size: 22px; line-height: 28px; letter-spacing: -0.01em; }
h2 { font-size: 18px; line-height: 24px; }
.soft { color: var(--muted); }
.small { font-size: 14px; line-height: 20px; }
.notice { border-radius: 10px; padding: 12px 16px; margin: 0 0 12px; background: var(--wait-soft); color: var(--wait); }
.asked { display: grid; gap: 12px; border-top: 1px solid var(--line); padding-top: 16px; }
.big { font-size: 40px; line-height: 46px; font-weight: 700; letter-spacing: -0.02em; }
figure { display: grid; gap: 4px; }
img { display: block; width: 100%; height: auto; }
ul { list-style: none; margin: -12px -12px; }
li + li { border-top: 1px solid var(--line); }
li a { display: grid; grid-template-columns: 1fr auto; align-items: baseline; gap: 2px 12px; padding: 12px; min-height: 48px; color: inherit; text-decoration: none; border-radius: 6px; }
li .text { grid-column: 1 / -1; text-decoration: underline; text-decoration-color: var(--edge); text-underline-offset: 3px; }
li a:hover .text { text-decoration-color: currentcolor; }
.rise { color: var(--rise); }
.fall, .done { color: var(--fall); }
b { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; border-top: 1px solid var(--line); }
dt, dd { padding: 9px 0; border-bottom: 1px solid var(--line); }
dt { padding-right: 16px; }
dl > :nth-last-child(-n+2) { border-bottom: 0; padding-bottom: 0; }
dt { color: var(--muted); }
form { display: grid; gap: 8px; }
form + form:not(.alone) { border-top: 1px solid var(--line); padding-top: 12px; }
label { display: grid; gap: 4px; }
.money { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: 8px; }
input { font: inherit; width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); color: var(--ink); }
input[aria-invalid] { border-color: var(--alarm); }
.fault { background: var(--alarm-soft); color: var(--alarm); border-radius: 8px; padding: 8px 12px; }
button, .button { display: block; width: 100%; min-height: 48px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; padding: 11px 16px; border: 1px solid var(--edge); border-radius: 8px; background: var(--surface); color: var(--ink); cursor: pointer; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (min-width: 480px) {
  body { padding-top: 32px; }
  section { padding: 24px; }
  form:not([class]) { grid-template-columns: 1fr auto; align-items: center; column-gap: 16px; }
  form:not([class]) .hint { grid-row: 1; }
  form:not([class]) button { width: auto; min-width: 208px; }
  .tickets { grid-auto-flow: column; grid-auto-columns: 1fr; }
}
.tickets { display: grid; gap: 8px; }
`;

/** The style element's text; it contains no character that HTML would parse inside it. */
export const pageStyle = new Markup(text);

const digest = createHash('sha256').update(text).digest('base64');

/** Allows this style, our own pictures and forms to this page, and nothing else. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
