// Describes the faults of a body or query: the place, the fault, and what is allowed. From the schema it
// adds the nearest known name for an unknown field, and the bounds for a value out of range.

import * as z from 'zod';
import { kindsWith } from '#shared/rules/language/modifier-table.ts';
import { nearestNames } from '#shared/rules/language/zone-names.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { faultWords } from './fault-words.ts';
import { fieldsAt, schemaAt } from './schema-fields.ts';

/** One fault, with a JSON pointer (RFC 6901, as a fragment) to it. */
export interface Fault {
  pointer: string;
  detail: string;
  min?: number;
  max?: number;
}

/** The value that was parsed, and its schema. */
interface Read {
  schema: z.ZodType;
  input: unknown;
}

/** One fault per place and message. */
export function faultsIn(error: z.ZodError, read?: Read): Fault[] {
  const faults = error.issues.flatMap((issue) => faultsOfIssue(issue, read));
  const seen = new Map(faults.map((fault) => [`${fault.pointer} ${fault.detail}`, fault]));
  return [...seen.values()];
}

/** "#/rules/0/at_or_below" */
export function pointerTo(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#${parts.map((part) => `/${part}`).join('')}`;
}

function faultsOfIssue(issue: z.core.$ZodIssue, read: Read | undefined): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = read ? fieldsAt(read.schema, issue.path, read.input) : [];
    return issue.keys.map((key) => ({
      pointer: pointerTo([...issue.path, key]),
      detail: unknownName(key, known),
    }));
  }
  const at = read && schemaAt(read.schema, issue.path, read.input);
  const isRange = issue.code === 'too_small' || issue.code === 'too_big';
  const bounds = { ...(isRange && boundsOfIssue(issue)), ...(at && boundsOf(at)) };
  const { min, max } = isRange || issue.code === 'custom' ? bounds : {};
  return [
    {
      pointer: pointerTo(issue.path),
      detail: (isRange && rangeWords(issue.origin, bounds)) || faultWords(issue),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    },
  ];
}

function unknownName(name: string, known: readonly string[]): string {
  const kinds = kindsWith(name);
  if (kinds) return `is not known here; the rules that have it are: ${kinds.join('; ')}`;
  const [nearest] = nearestNames(name, known);
  if (nearest === undefined) return 'is not a known field; this object takes no fields';
  const others = known.length <= 12 ? `; known are ${known.join(', ')}` : '';
  return `is not known; the nearest known name is "${nearest}"${others}`;
}

interface Bounds {
  min?: number;
  max?: number;
  /** The lowest value is above this. */
  above?: number;
}

/** The bound that the value exceeds. */
function boundsOfIssue(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): Bounds {
  if (issue.code === 'too_big') return { max: Number(issue.maximum) };
  return { [issue.inclusive === false ? 'above' : 'min']: Number(issue.minimum) };
}

const lowest = ['minimum', 'minLength', 'minItems'] as const;
const highest = ['maximum', 'maxLength', 'maxItems'] as const;

/** The bounds in the schema's own JSON Schema; those of the one form that has some, if it has several forms. */
function boundsOf(schema: z.ZodType): Bounds {
  const json: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const forms = [json, ...(json.anyOf ?? [])].map(boundsOfForm);
  const bounded = forms.filter((form) => Object.keys(form).length > 0);
  return bounded.length === 1 ? (bounded[0] ?? {}) : {};
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function boundsOfForm(form: unknown): Bounds {
  if (typeof form !== 'object' || form === null) return {};
  const find = (names: readonly string[]) =>
    names.map((name) => Reflect.get(form, name)).find(isWorthTelling);
  const found = { min: find(lowest), max: find(highest), above: find(['exclusiveMinimum']) };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Every whole number has the bound of those that are exact in JSON. */
function isWorthTelling(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

const nouns: Record<string, string> = {
  string: 'characters',
  array: 'entries',
  number: '',
  int: '',
};

function rangeWords(origin: string, { min, max, above }: Bounds): string | undefined {
  const noun = nouns[origin];
  const words = [
    ...(above === undefined ? [] : [`above ${groupThousands(above)}`]),
    ...(min === undefined ? [] : [`at least ${groupThousands(min)}`]),
    ...(max === undefined ? [] : [`at most ${groupThousands(max)}`]),
  ].join(' and ');
  if (noun === undefined || words === '') return undefined;
  return noun === '' ? `must be ${words}` : `must have ${words} ${noun}`;
}
