// The names that a template of webhook bodies can use, at each of its places, from the schema of its data.
import * as z from 'zod';
import type { NameParts, TemplateNode } from '#shared/delivery/template/parse-template.ts';
import { templateDataSchema } from '#shared/delivery/template/template-data-schema.ts';
import { nearestNames } from '#shared/rules/language/zone-names.ts';

/** What stands behind a name. */
interface Named {
  kind: 'object' | 'list' | 'value';
  /** The schema of the object, or of the list's rows. */
  inner: z.ZodType;
}

/** A name of a template that its data doesn't have, or that makes no sense at its place. */
export interface NameFault {
  at: number;
  message: string;
}

/** Checks every name of a template. @returns the faults, and the names of its sections. */
export function checkNames(nodes: readonly TemplateNode[]): {
  faults: NameFault[];
  sections: string[];
} {
  const faults: NameFault[] = [];
  const sections = new Set<string>();

  function visit(parts: readonly TemplateNode[], contexts: readonly z.ZodType[]): void {
    for (const node of parts) {
      if (node.kind === 'text') continue;
      const named = namedBy(node.name, contexts);
      if (named === undefined) faults.push({ at: node.at, message: unknown(node.name, contexts) });
      if (node.kind === 'value') continue;
      const { kind = 'value', inner = contexts[0] ?? z.unknown() } = named ?? {};
      sections.add(textOf(node.name));
      if (kind === 'list' && !node.isInverted && contexts.includes(inner)) {
        faults.push({
          at: node.at,
          message: `{{#${textOf(node.name)}}} is inside of a list like it`,
        });
      }
      visit(node.nodes, node.isInverted ? contexts : [...contexts, inner]);
    }
  }
  visit(nodes, [templateDataSchema]);
  return { faults, sections: [...sections] };
}

function textOf(name: NameParts): string {
  return name.length === 0 ? '.' : name.join('.');
}

function namedBy(name: NameParts, contexts: readonly z.ZodType[]): Named | undefined {
  const [first, ...others] = name;
  if (first === undefined) return namedOf(contexts.at(-1) ?? z.unknown());
  let schema = contexts.map((context) => fieldOf(context, first)).findLast((field) => field);
  for (const part of others) schema = schema && fieldOf(schema, part);
  return schema && namedOf(schema);
}

function fieldOf(schema: z.ZodType, name: string): z.ZodType | undefined {
  const object = plain(schema);
  if (!(object instanceof z.ZodObject) || !Object.hasOwn(object.shape, name)) return undefined;
  return object.shape[name] as z.ZodType;
}

function namedOf(schema: z.ZodType): Named {
  const inner = plain(schema);
  if (inner instanceof z.ZodArray) return { kind: 'list', inner: inner.element as z.ZodType };
  if (inner instanceof z.ZodObject) return { kind: 'object', inner };
  return { kind: 'value', inner };
}

/** Null or not is the same for names. */
function plain(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? plain(schema.unwrap() as z.ZodType)
    : schema;
}

function unknown(name: NameParts, contexts: readonly z.ZodType[]): string {
  const text = textOf(name);
  const before = name.slice(0, -1);
  const holder = before.length === 0 ? undefined : namedBy(before, contexts);
  const list = textOf(before);
  if (holder?.kind === 'list') {
    return `{{${text}}} is not a known name: ${list} is a list, so write {{#${list}}}{{${name.at(-1)}}}{{/${list}}}`;
  }
  const known = holder
    ? namesIn(holder.inner).map((last) => `${list}.${last}`)
    : [...new Set(contexts.flatMap(namesIn))];
  const nearest = nearestNames(text, known);
  const words =
    nearest.length === 0 ? `${list} has no names` : `the nearest are ${nearest.join(', ')}`;
  return `{{${text}}} is not a known name; ${words}`;
}

function namesIn(schema: z.ZodType): string[] {
  const object = plain(schema);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}
