// A JSON schema as rows of a table: each field with its type in a few words. Named schemas are linked,
// not expanded.

import type { Json } from './fragment.ts';
import { escapeHtml } from './html.ts';

export interface SchemaRow {
  path: string;
  /** HTML. */
  type: string;
  description: string;
}

/** One row per field, with nested fields below; a union has one row per form. */
export function schemaRows(schema: Json, path = ''): SchemaRow[] {
  const forms = formsOf(schema);
  if (forms && path === '') {
    return forms.map((form, index) => ({
      path: `form ${index + 1}`,
      type: typeOf(form),
      description: wordsOf(form),
    }));
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return fields.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const type = required.has(name) ? `${typeOf(field)}, required` : typeOf(field);
    const inner = field.type === 'array' ? (field.items as Json | undefined) : field;
    const isOpen = inner?.properties !== undefined;
    const below = isOpen ? schemaRows(inner as Json, field.type === 'array' ? `${at}[]` : at) : [];
    return [{ path: at, type, description: wordsOf(field) }, ...below];
  });
}

function formsOf(schema: Json): Json[] | undefined {
  const forms = schema.oneOf ?? schema.anyOf;
  return Array.isArray(forms) ? (forms as Json[]) : undefined;
}

function typeOf(schema: Json): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' | ');
  }
  const forms = formsOf(schema);
  if (forms) return [...new Set(forms.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`;
  return [escapeHtml(String(schema.type ?? 'anything')), boundsOf(schema)]
    .filter(Boolean)
    .join(' ');
}

function boundsOf(schema: Json): string {
  const least = schema.minimum ?? schema.minLength ?? schema.minItems;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const isSafe = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER;
  if (typeof least === 'number' && isSafe) return `${least} to ${most}`;
  if (isSafe) return `up to ${most}`;
  return typeof least === 'number' ? `from ${least}` : '';
}

function wordsOf({ description }: Json): string {
  return typeof description === 'string' ? description : '';
}
