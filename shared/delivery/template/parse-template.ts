// Parses a body template: Mustache without partials, lambdas, unescaped values and other delimiters. Which names
// a template may use is not known here.
import mustache, { type TemplateSpans } from 'mustache';
import { remembered } from '../../alerts/remembered.ts';

/** A name split at its dots; `.` alone is the current value, and has no parts. */
export type NameParts = readonly string[];

/** A part of a template; `at` is its offset in the text. */
export type TemplateNode =
  | { kind: 'text'; text: string; at: number }
  | { kind: 'value'; name: NameParts; at: number }
  | { kind: 'section'; name: NameParts; isInverted: boolean; nodes: TemplateNode[]; at: number };

/** A fault of a template, at an offset of its text. */
export interface TemplateFault {
  at: number;
  message: string;
}

export type ParsedTemplate = { nodes: TemplateNode[] } | { fault: TemplateFault };

/** @returns the first fault if the text is not such a template. */
export const parseTemplate: (text: string) => ParsedTemplate = remembered((text: string) => {
  let spans: TemplateSpans;
  try {
    spans = mustache.parse(text);
  } catch (error) {
    return { fault: faultOf(error, text) };
  } finally {
    // It keeps every template that it has parsed.
    mustache.clearCache();
  }
  const fault = firstForeign(spans);
  return fault ? { fault } : { nodes: nodesOf(spans) };
}, 50);

/** The messages of Mustache's own parser: the fault, the name, and the offset. */
const thrown =
  /^(?<what>Unclosed tag|Unclosed section|Unopened section)(?: "(?<name>.*)")? at (?<at>\d+)$/s;

function faultOf(error: unknown, text: string): TemplateFault {
  const message = error instanceof Error ? error.message : '';
  const { what, name = '', at = String(text.length) } = thrown.exec(message)?.groups ?? {};
  if (what === 'Unclosed section') {
    return {
      at: Number(at),
      message: `{{#${name}}} must be closed by {{/${name}}} before this place`,
    };
  }
  if (what === 'Unopened section') {
    return { at: Number(at), message: `{{/${name}}} closes a section that was not opened` };
  }
  const triple = text.indexOf('{{{');
  if (what === 'Unclosed tag' && triple >= 0) return { at: triple, message: unescapedTag };
  if (what === 'Unclosed tag') {
    return {
      at: Math.max(text.lastIndexOf('{{'), 0),
      message: 'this tag has no end: }} is missing',
    };
  }
  return { at: Math.max(text.indexOf('{{='), 0), message: changedTags };
}

const changedTags = 'the marks {{ and }} can’t be changed';

const unescapedTag =
  'values can’t be put in without escaping: write {{name}}. If the first of three { is text, put a space after it';

/** Why a kind of tag is refused. */
const foreign: Readonly<Record<string, string>> = {
  '&': unescapedTag,
  '>': 'there are no partials',
  '=': changedTags,
};

/** Deeper nesting has no use, and makes each value slow to look up. */
const deepest = 20;

/** @param depth how many sections are around the spans. */
function firstForeign(spans: TemplateSpans, depth = 0): TemplateFault | undefined {
  for (const [kind, , at, , inner] of spans) {
    const message = foreign[kind];
    if (message !== undefined) return { at, message };
    if (!Array.isArray(inner)) continue;
    if (depth === deepest)
      return { at, message: `at most ${deepest} sections can be inside of one another` };
    const found = firstForeign(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function nodesOf(spans: TemplateSpans): TemplateNode[] {
  return spans.flatMap(([kind, content, at, , inner]): TemplateNode[] => {
    if (kind === 'text') return [{ kind, text: content, at }];
    if (kind === 'name') return [{ kind: 'value', name: nameParts(content), at }];
    if (kind !== '#' && kind !== '^') return [];
    const nodes = nodesOf(Array.isArray(inner) ? inner : []);
    return [{ kind: 'section', name: nameParts(content), isInverted: kind === '^', nodes, at }];
  });
}

function nameParts(name: string): NameParts {
  return name === '.' ? [] : name.split('.');
}
