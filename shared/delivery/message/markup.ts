// HTML by template literal: every substitution is escaped, except `Markup`.
import { escapeHtml } from './plain-text.ts';

/** Text that is HTML already: from `html`, or a constant of ours. Never text from outside. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | undefined | readonly Part[];

/** A piece of HTML; strings are escaped for both element text and quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Markup {
  const joined = literals.map((literal, index) => literal + render(parts[index]));
  return new Markup(joined.join(''));
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}
