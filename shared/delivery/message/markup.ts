// HTML by template literal: every substitution is escaped unless it is markup itself.
import { escapeHtml } from './plain-text.ts';

/** Text that is HTML already: what `html` made, or a constant of ours. Never anything that came in. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | undefined | readonly Part[];

/** A piece of HTML; strings are escaped for element text and quoted attributes alike. */
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
