// How Telegram reads the text of a message: its HTML, and what it makes of text that looks like something to tap. The
// rules are those that tdlib documents; where Telegram knows lists (of top-level domains, of short user names), this
// takes everything, so that a text that is safe here is safe there.

export interface Entity {
  type: string;
  /** UTF-16 units of the text without markup. */
  offset: number;
  length: number;
  /** Of a link. */
  url?: string;
}

export interface ReadText {
  text: string;
  entities: Entity[];
}

const tagNames: Readonly<Record<string, string>> = {
  ...{ a: 'text_link', b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline' },
  ...{ ins: 'underline', s: 'strikethrough', strike: 'strikethrough', del: 'strikethrough' },
  ...{ code: 'code', pre: 'pre', blockquote: 'blockquote', 'tg-spoiler': 'spoiler' },
  ...{ 'tg-emoji': 'custom_emoji', 'tg-time': 'date_time' },
};

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** What is under way while a tag is open. */
interface OpenTag {
  name: string;
  offset: number;
  url?: string | undefined;
}

const part =
  /<(?<close>\/)?(?<tag>[^\s>]*)(?<attributes>[^>]*)>|&(?:#x(?<hex>[0-9a-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>lt|gt|amp|quot));?|(?<text>[^<&]+|&)|(?<bare><)/giu;

/** @returns the text with its entities, or what Telegram says is wrong. */
export function readHtml(html: string): ReadText | { error: string } {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = '';
  for (const { groups = {}, index } of html.matchAll(part)) {
    const { close, tag, attributes = '', hex, decimal, name, text: plain, bare } = groups;
    const at = `at byte offset ${Buffer.byteLength(html.slice(0, index))}`;
    if (bare !== undefined) return { error: `Unclosed start tag ${at}` };
    if (tag === undefined) {
      text += plain ?? characterOf({ hex, decimal, name });
      continue;
    }
    const tagName = tag.toLowerCase();
    if (close === undefined) {
      if (!Object.hasOwn(tagNames, tagName)) {
        return { error: `Unsupported start tag "${tagName}" ${at}` };
      }
      open.push({ name: tagName, offset: text.length, url: hrefIn(attributes) });
      continue;
    }
    const opened = open.pop();
    if (!opened) return { error: `Unexpected end tag ${at}` };
    if (opened.name !== tagName) {
      return {
        error: `Unmatched end tag ${at}, expected "</${opened.name}>", found "</${tagName}>"`,
      };
    }
    const length = text.length - opened.offset;
    const type = tagNames[opened.name] ?? '';
    if (length > 0) entities.push({ type, offset: opened.offset, length, ...linkOf(opened) });
  }
  const [left] = open;
  if (left) return { error: `Can't find end tag corresponding to start tag "${left.name}"` };
  return { text, entities };
}

function characterOf({ hex, decimal, name }: Record<string, string | undefined>): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
}

function hrefIn(attributes: string): string | undefined {
  const [, quoted] = /\bhref\s*=\s*"([^"]*)"/i.exec(attributes) ?? [];
  if (quoted === undefined) return undefined;
  const read = readHtml(quoted.replaceAll('<', '&lt;'));
  return 'text' in read ? read.text : undefined;
}

function linkOf({ name, url }: OpenTag): { url?: string } {
  return name === 'a' && url !== undefined ? { url } : {};
}

const word = '[\\p{L}\\p{N}_]';
const hash = '[\\p{L}\\p{Nd}_\\u200c\\u00b7\\u0d80-\\u0dff]';
/** A character of a host's name: no separator, and of the general punctuation only joiners and dashes. */
const host =
  '(?:[A-Za-z0-9_~-]|(?![\\u2000-\\u200b\\u200e\\u200f\\u2016-\\u206f])[^\\p{Z}\\u0000-\\u00bf])';

/** What Telegram looks for in the text of every message. */
const finders: Readonly<Record<string, RegExp>> = {
  mention: new RegExp(`(?<!${word})@[A-Za-z0-9_]{2,32}(?!${word})`, 'gu'),
  bot_command:
    /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/gu,
  hashtag: new RegExp(`(?<!${hash})#(?=${hash}*\\p{L})${hash}{1,256}(?!${hash}*#)`, 'gu'),
  cashtag: new RegExp(`(?<![$]|${hash})\\$(?:1INCH|[A-Z]{1,8})(?![$]|${hash})`, 'gu'),
  // A number with a decimal point is none; any other text may be a top-level domain.
  url: new RegExp(`(?![\\d.]+(?!${host}))${host}+(?:\\.${host}+)*\\.${host}{2,}`, 'gu'),
  ip_address: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g,
  tg_url: /(?:tg|ton|tonsite):\/\/[A-Za-z0-9_-]+/gi,
  email: new RegExp(`[A-Za-z0-9_.+-]+@${host}+\\.[A-Za-z]{2,8}`, 'gu'),
  phone_number: /\+\d(?:[ ()-]{0,2}\d){6,}/g,
  bank_card: /(?<![\d+_.,\p{L}-])\d(?:[ -]?\d){12,18}(?![\d_\p{L}-])/gu,
};

/** What Telegram finds in a text, as the server or the apps do it. */
export function findTappable(text: string): Entity[] {
  return Object.entries(finders).flatMap(([type, pattern]) =>
    [...text.matchAll(pattern)].map((found) => ({
      ...{ type, offset: found.index, length: found[0].length },
    })),
  );
}
