// Slack's texts: mrkdwn objects, plain_text objects, and the top-level text of a message.
import {
  emojiCode,
  readText,
  type ShownText,
  syntaxOf,
  type TextRule,
  webAddress,
} from './shown-text.ts';

const entities: TextRule = {
  pattern: /&(?<entity>amp|lt|gt);/,
  show: ({ entity = '' }) => ({ amp: '&', lt: '<', gt: '>' })[entity] ?? '',
};
const emoji: TextRule = { pattern: emojiCode, kind: 'emoji', show: (_, code) => code };
const dates: TextRule = {
  pattern: /<!date\^\d+\^[^|>]*(?:\|(?<dateLabel>[^>]*))?>/,
  kind: 'date',
  show: ({ dateLabel = '' }) => dateLabel,
};
const mentions: TextRule = {
  pattern: /<(?<mentioned>[@#!][^|>]*)(?:\|[^>]*)?>/,
  kind: 'mention',
  show: ({ mentioned = '' }) => mentioned,
};
const links: TextRule = {
  pattern: /<(?<href>[a-z][a-z0-9+.-]*:[^|>]*)(?:\|(?<label>[^>]*))?>/,
  kind: 'link',
  show: ({ href = '', label }) => decoded(label ?? href),
  url: ({ href = '' }) => decoded(href),
};
const styles: TextRule = {
  pattern:
    /(?<![\p{L}\p{N}])(?<fence>[*_~`])(?=[^\s*_~`])(?<styled>[^\n]*?\S)\k<fence>(?![\p{L}\p{N}])/u,
  kind: 'style',
  show: ({ styled = '' }) => styled,
  isNested: true,
};
const quotes: TextRule = {
  pattern: /^(?:&gt;){1,3} ?(?=\S)|^> ?(?=\S)/,
  kind: 'style',
  show: () => '',
};
const bareLinks: TextRule = {
  pattern: webAddress,
  kind: 'link',
  show: (_, address) => address,
  url: (_, address) => address,
};

const mrkdwn = syntaxOf([quotes, dates, mentions, links, entities, emoji, styles]);
const looseMrkdwn = syntaxOf([quotes, dates, mentions, links, bareLinks, entities, emoji, styles]);
const styleless = syntaxOf([dates, mentions, links, bareLinks, entities, emoji]);
const plain = syntaxOf([entities]);
const plainWithEmoji = syntaxOf([entities, emoji]);

/** Without `verbatim` Slack also makes links of web addresses. */
export function readMrkdwn(text: string, isVerbatim: boolean): ShownText {
  return readText(text, isVerbatim ? mrkdwn : looseMrkdwn);
}

export function readPlainText(text: string, hasEmoji: boolean): ShownText {
  return readText(text, hasEmoji ? plainWithEmoji : plain);
}

/** The text of a message without blocks, or of its notification. `mrkdwn: false` switches off styles alone. */
export function readTopText(text: string, hasStyles: boolean): ShownText {
  return readText(text, hasStyles ? looseMrkdwn : styleless);
}

function decoded(text: string): string {
  return readText(text, plain).text;
}
