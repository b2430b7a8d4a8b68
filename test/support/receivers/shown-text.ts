// What a reader sees of a text: the characters, and the places where the product made something of them: a link,
// a mention, an emoji, a style. A product's syntax is a list of rules.

export type MarkKind = 'link' | 'mention' | 'emoji' | 'style' | 'date' | 'button' | 'image';

/** A part of a text that is more than its characters. */
export interface Mark {
  kind: MarkKind;
  /** What is shown. */
  text: string;
  /** Where a link, a button or an image leads. */
  url?: string;
}

export interface ShownText {
  text: string;
  marks: Mark[];
}

export interface ShownMessage extends ShownText {
  /** The receiver's name for it. */
  id: string;
  /** What a phone or desktop shows before the message is opened. */
  notification: ShownText;
  /** Epoch milliseconds. */
  at: number;
}

/** A piece of a product's syntax. Its named groups must have names that no other rule of the list has. */
export interface TextRule {
  pattern: RegExp;
  /** Undefined for a piece that only changes the characters, such as an escape. */
  kind?: MarkKind;
  show(groups: Record<string, string>, whole: string): string;
  url?(groups: Record<string, string>, whole: string): string;
  /** The shown text can contain further pieces. */
  isNested?: true;
}

/** A list of rules as one pattern; the first rule that matches at a place wins. */
export interface Syntax {
  rules: readonly TextRule[];
  pattern: RegExp;
}

export function syntaxOf(rules: readonly TextRule[]): Syntax {
  const source = rules.map(({ pattern }, index) => `(?<rule${index}>${pattern.source})`).join('|');
  return { rules, pattern: new RegExp(source, 'gmu') };
}

/** Reads a text by a product's rules. */
export function readText(text: string, syntax: Syntax): ShownText {
  const marks: Mark[] = [];
  const shown = text.replace(syntax.pattern, (whole, ...rest) => {
    const groups = rest.at(-1) as Record<string, string>;
    const index = syntax.rules.findIndex((_, at) => groups[`rule${at}`] !== undefined);
    const rule = syntax.rules[index];
    if (!rule) return whole;
    const inner = rule.show(groups, whole);
    const seen = rule.isNested ? readText(inner, syntax) : { text: inner, marks: [] };
    if (rule.kind !== undefined) {
      const url = rule.url?.(groups, whole);
      marks.push({ kind: rule.kind, text: seen.text, ...(url !== undefined && { url }) });
    }
    marks.push(...seen.marks);
    return seen.text;
  });
  return { text: shown, marks };
}

/** A text that is shown as it is. */
export function asItIs(text: string): ShownText {
  return { text, marks: [] };
}

/** Several texts, each on a line of its own. */
export function joined(parts: readonly ShownText[]): ShownText {
  return {
    text: parts.map(({ text }) => text).join('\n'),
    marks: parts.flatMap(({ marks }) => marks),
  };
}

/** An emoji's short code; a time such as 12:30:45 has none. */
export const emojiCode = /:(?:[a-z][a-z0-9_+-]*|\+1|-1|100|1234)(?:::skin-tone-[2-6])?:/;

/** An address that apps turn into a link: with its scheme, or beginning with www. */
export const webAddress = /(?:https?:\/\/|\bwww\.)[^\s\u2060<>"\]]+/;

/** An address without a scheme; phones turn it into a link too. */
export const bareAddress =
  /(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|example|tv|me|am|co|uk|de|to|ly|app|dev|info|biz|xyz|ru)(?![\w-])(?:\/[^\s\u2060<>"\]]*)?/i;
