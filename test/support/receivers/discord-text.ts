// Discord's markdown, as its apps read it in contents, descriptions, titles and field values.
import { emojiCode, readText, type ShownText, syntaxOf, type TextRule } from './shown-text.ts';

const escapes: TextRule = {
  pattern: /\\(?<escaped>[^\p{L}\p{N}\s])/u,
  show: ({ escaped = '' }) => escaped,
};
const code: TextRule = {
  pattern: /(?<ticks>`{1,3})(?<coded>[^`]+)\k<ticks>/,
  kind: 'style',
  show: ({ coded = '' }) => coded,
};
const maskedLinks: TextRule = {
  pattern: /\[(?<label>(?:\\.|[^\]\n])+)\]\(<?(?<target>https?:\/\/[^\s<>]+?)>?\)/,
  kind: 'link',
  show: ({ label = '' }) => label,
  url: ({ target = '' }) => target,
  isNested: true,
};
const bareLinks: TextRule = {
  pattern: /<?(?<address>https?:\/\/[^\s<>]+)>?/,
  kind: 'link',
  show: ({ address = '' }) => address,
  url: ({ address = '' }) => address,
};
const mentions: TextRule = {
  pattern: /<(?:@[!&]?|#)\d+>|<\/[^>\n]+:\d+>|<id:\w+>|@(?:everyone|here)(?![\p{L}\p{N}])/u,
  kind: 'mention',
  show: (_, whole) => whole,
};
const emoji: TextRule = {
  pattern: new RegExp(`<a?:\\w+:\\d+>|${emojiCode.source}`),
  kind: 'emoji',
  show: (_, whole) => whole,
};
const dates: TextRule = {
  pattern: /<t:-?\d+(?::[tTdDfFsSR])?>/,
  kind: 'date',
  show: (_, whole) => whole,
};
const styles: TextRule = {
  pattern:
    /(?<fence>\*{1,3}|_{1,3}|~~|\|\|)(?=[^\s*_])(?<styled>(?:\\.|[^\\\n])*?[^\s\\])\k<fence>(?!\k<fence>)/,
  kind: 'style',
  show: ({ styled = '' }) => styled,
  isNested: true,
};
/** Headings, small text, quotes and lists. */
const lines: TextRule = {
  pattern: /^(?: {0,3}#{1,3} |-# |>{1}(?:>>)? | {0,3}[-*] | {0,3}\d+\. )(?=\S)/,
  kind: 'style',
  show: () => '',
};

const inline = syntaxOf([escapes, code, maskedLinks, dates, mentions, emoji, bareLinks, styles]);
const block = syntaxOf([
  escapes,
  code,
  maskedLinks,
  dates,
  mentions,
  emoji,
  bareLinks,
  lines,
  styles,
]);

/** A content, a description or a field's value. */
export function readMarkdown(text: string): ShownText {
  return readText(text, block);
}

/** A title or a field's name, which has no headings or lists. */
export function readInline(text: string): ShownText {
  return readText(text, inline);
}
