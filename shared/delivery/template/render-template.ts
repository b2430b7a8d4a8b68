// Fills a parsed template with data. Names are only looked up in the data's own fields: a template calls nothing.
import {
  type BodyWriter,
  type ContentType,
  contentTypeRows,
  type TemplateValue,
} from './content-types.ts';
import type { NameParts, TemplateNode } from './parse-template.ts';

/** Thrown for a place of a template that can't be filled. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** The offset in the template. */
  readonly at: number;
  /** Whether fewer rows of data may help. */
  readonly isTooLong: boolean;

  constructor(message: string, { at, isTooLong = false }: { at: number; isTooLong?: boolean }) {
    super(message);
    this.at = at;
    this.isTooLong = isTooLong;
  }
}

/** A rendered body. */
export interface Rendered {
  body: string;
  /** For each piece of the body, in order: where it begins, and where its part of the template is. */
  pieces: { from: number; at: number; isText: boolean }[];
}

/** Lists in lists repeat their content many times over. Both limits are far more than a body of 20 KB needs. */
const mostSteps = 20_000;
const mostCharacters = 200_000;

/** @throws TemplateError for a value that can't be written at its place, and for a body without end. */
export function renderTemplate(
  nodes: readonly TemplateNode[],
  data: TemplateValue,
  contentType: ContentType,
): Rendered {
  const rendering = new Rendering(contentTypeRows[contentType].createWriter());
  rendering.render(nodes, [data]);
  return rendering.rendered();
}

class Rendering {
  readonly #writer: BodyWriter;
  readonly #pieces: Rendered['pieces'] = [];
  #body = '';
  #steps = 0;

  constructor(writer: BodyWriter) {
    this.#writer = writer;
  }

  rendered(): Rendered {
    return { body: this.#body, pieces: this.#pieces };
  }

  /** @param contexts the values in which names are looked up, the innermost last. */
  render(nodes: readonly TemplateNode[], contexts: readonly TemplateValue[]): void {
    for (const node of nodes) {
      this.#steps += 1;
      if (this.#steps > mostSteps) {
        throw new TemplateError('the template repeats too much', { at: node.at, isTooLong: true });
      }
      if (node.kind === 'text') this.#addText(node);
      else if (node.kind === 'value') this.#addValue(node, contexts);
      else this.#addSection(node, contexts);
    }
  }

  #addText({ text, at }: Extract<TemplateNode, { kind: 'text' }>): void {
    this.#writer.text(text);
    this.#add(text, at, true);
  }

  #addValue({ name, at }: Extract<TemplateNode, { kind: 'value' }>, contexts: Contexts): void {
    const written = this.#writer.value(lookUp(name, contexts));
    if (typeof written !== 'string') throw new TemplateError(written.refused, { at });
    this.#add(written, at, false);
  }

  #addSection(section: Extract<TemplateNode, { kind: 'section' }>, contexts: Contexts): void {
    const value = lookUp(section.name, contexts);
    if (section.isInverted) {
      if (isNothing(value)) this.render(section.nodes, contexts);
      return;
    }
    if (isNothing(value)) return;
    for (const each of isList(value) ? value : [value]) {
      this.render(section.nodes, [...contexts, each]);
    }
  }

  #add(piece: string, at: number, isText: boolean): void {
    this.#pieces.push({ from: this.#body.length, at, isText });
    this.#body += piece;
    if (this.#body.length > mostCharacters) {
      throw new TemplateError('the body is far over 20,000 bytes here', { at, isTooLong: true });
    }
  }
}

type Contexts = readonly TemplateValue[];

/** Null for a name that is not there; the names of a stored template are known ones. */
function lookUp(name: NameParts, contexts: Contexts): TemplateValue {
  const [first, ...others] = name;
  if (first === undefined) return contexts.at(-1) ?? null;
  const holder = contexts.findLast((context) => fieldOf(context, first) !== undefined);
  let value = fieldOf(holder, first);
  for (const part of others) value = fieldOf(value, part);
  return value ?? null;
}

function fieldOf(value: TemplateValue | undefined, name: string): TemplateValue | undefined {
  if (value === undefined || value === null || typeof value !== 'object' || isList(value)) {
    return undefined;
  }
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Whether a section is left out, as in Mustache for JavaScript: for null, false, 0, '' and an empty list. */
function isNothing(value: TemplateValue): boolean {
  return isList(value) ? value.length === 0 : !value;
}

function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value);
}
