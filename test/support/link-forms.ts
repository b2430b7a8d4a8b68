// The forms of the pages behind links, read from their HTML as a browser does, and pressed.
import { expect } from 'vitest';

/** A form of a page: what it posts with its button, and the button's words. */
export interface LinkForm {
  act: string;
  label: string;
  fields: Record<string, string>;
}

/** Every form of a page, in its order. */
export function formsIn(page: string): LinkForm[] {
  return [...page.matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)].map(([, inner = '']) => {
    const [, act = '', label = ''] =
      /<button[^>]* name="do" value="([a-z_]+)">([^<]*)<\/button>/.exec(inner) ?? [];
    const fields = [...inner.matchAll(/<input([^>]*)>/g)].map(([, attributes = '']) => [
      attributeOf(attributes, 'name'),
      attributeOf(attributes, 'value'),
    ]);
    return { act, label: textOf(label), fields: { ...Object.fromEntries(fields), do: act } };
  });
}

function attributeOf(attributes: string, name: string): string {
  return textOf(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

/** The text of a page, without its markup. */
export function textOf(html: string): string {
  return html
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** A quoted value, escaped as our pages escape it. */
const value = '"[^"<>]*"';
/** Every tag that our pages have, without its brackets. */
const ownTags = [
  'html lang="en"',
  `meta (?:charset|name)=${value}(?: content=${value})?`,
  '(?:h1|h2|p|dd|b|span)(?: class="[a-z ]+")?(?: (?:id|role)="[a-z]+")*(?: dir="auto")?',
  '(?:div|section|i|dl|dt|label|ul|li|figure|picture|figcaption)(?: class="[a-z ]+")?(?: role="[a-z]+")?',
  'form method="post"(?: class="(?:wide|alone)")?',
  `input(?: [a-z-]+=${value})+(?: autofocus)?`,
  `(?:source|img)(?: [a-z]+=${value})+`,
  String.raw`a href="https:\/\/getin\.example\/l\/[\w-]+"`,
  String.raw`a class="button(?: primary)?" href="https:\/\/[^"<>\s]*" rel="noopener noreferrer"`,
  'button(?: class="primary")? type="submit" name="do" value="[a-z_]+"',
  'head|body|main|title|style',
  String.raw`\/[a-z12]+`,
];
const ownTag = new RegExp(`<(?:!doctype html|${ownTags.join('|')})>`, 'g');

/** Names are text: without the page's own tags and style, nothing is left that HTML would parse. */
export function expectOnlyOwnMarkup(page: string): void {
  const text = page.replace(/<style>[^<]*<\/style>/, '').replace(ownTag, '');
  expect(text).not.toMatch(/[<>"']|&(?!#\d+;)/);
}
