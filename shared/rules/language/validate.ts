/**
 * Validates a rule that a person sent: reports every fault at once, in words, with its place. Checks zones
 * only if the caller gives them.
 */
import { distance } from 'fastest-levenshtein';
import type * as z from 'zod';
import { changeFaults } from './change-faults.ts';
import { modifierFaults, tableFaults } from './modifier-faults.ts';
import { type Rule, ruleSchema } from './rule.ts';

/** One fault: its place in the rule, as a JSON pointer (RFC 6901), and what to do. */
export interface RuleFault {
  pointer: string;
  message: string;
}

export interface RuleContext {
  /** The event's zones as named in its stats; undefined while unknown. */
  zones?: readonly string[] | undefined;
  /** Epoch milliseconds; a rule that has already expired is refused. */
  now?: number | undefined;
}

export type RuleReading = { ok: true; rule: Rule } | { ok: false; faults: RuleFault[] };

/** The rule from JSON, or all its faults. */
export function readRule(input: unknown, context: RuleContext = {}): RuleReading {
  const parsed = ruleSchema.safeParse(input);
  const ofModifiers = parsed.success ? modifierFaults(parsed.data) : tableFaults(fieldsOf(input));
  const refused = ofModifiers.map(({ field, message }) => ({ pointer: `/${field}`, message }));
  const faults = [
    ...(parsed.success ? [] : faultsOf(parsed.error).filter(isOutside(refused))),
    ...refused,
    ...(parsed.success ? changeFaults(parsed.data) : []),
    ...zoneFaults(input, context.zones),
    ...(parsed.success ? expiryFaults(parsed.data, context.now) : []),
  ];
  if (parsed.success && faults.length === 0) return { ok: true, rule: parsed.data };
  return { ok: false, faults };
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

/** The table says more about a refused modifier than the schema does. */
function isOutside(refused: readonly RuleFault[]) {
  const places = new Set(refused.map(({ pointer }) => pointer));
  return ({ pointer }: RuleFault) => !places.has(pointer);
}

/** The faults that a schema found, one per place and message. */
export function faultsOf(error: z.ZodError): RuleFault[] {
  const faults = error.issues.flatMap(faultsOfIssue);
  const seen = new Map(faults.map((fault) => [`${fault.pointer} ${fault.message}`, fault]));
  return [...seen.values()];
}

function expiryFaults({ expires_at }: Rule, now: number | undefined): RuleFault[] {
  if (expires_at === undefined || now === undefined || Date.parse(expires_at) > now) return [];
  return [{ pointer: '/expires_at', message: 'must be in the future' }];
}

function faultsOfIssue(issue: z.core.$ZodIssue): RuleFault[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ pointer: pointerOf(issue.path), message: issue.message }];
  }
  return issue.keys.map((key) => ({
    pointer: pointerOf([...issue.path, key]),
    message: 'is not a field of this rule',
  }));
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

const MOST_NESTED = 12;

/** Checks the raw input, so that a misspelt zone is reported together with all other faults. */
function zoneFaults(input: unknown, zones: readonly string[] | undefined): RuleFault[] {
  if (zones === undefined) return [];
  return namedZones(input, [])
    .filter(({ name }) => !zones.includes(name))
    .map(({ path, name }) => ({ pointer: pointerOf(path), message: unknownZone(name, zones) }));
}

/** All zones that a rule names, each once. */
export function zonesOf(rule: unknown): string[] {
  return [...new Set(namedZones(rule, []).map(({ name }) => name))];
}

interface NamedZone {
  path: PropertyKey[];
  name: string;
}

function namedZones(value: unknown, path: PropertyKey[]): NamedZone[] {
  if (typeof value !== 'object' || value === null || path.length > MOST_NESTED) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === 'zone' && typeof part === 'string') return [{ path: at, name: part.trim() }];
    if (key !== 'zones' || !Array.isArray(part)) return namedZones(part, at);
    return part.flatMap((name, index) =>
      typeof name === 'string' ? [{ path: [...at, index], name: name.trim() }] : [],
    );
  });
}

function unknownZone(name: string, zones: readonly string[]): string {
  if (zones.length === 0) return `the event has no zones, and so no "${name}"`;
  const nearest = nearestNames(name, zones).map((zone) => `"${zone}"`);
  return `the event has no zone "${name}"; the nearest are ${nearest.join(', ')}`;
}

/** The three names nearest to the typed one: first names that contain it, then by edit distance. */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const plain = (name: string) =>
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const wanted = plain(typed);
  const farness = (name: string) => {
    const known = plain(name);
    const isPart = wanted !== '' && (known.includes(wanted) || wanted.includes(known));
    return isPart ? 0 : distance(wanted, known);
  };
  return [...names].sort((a, b) => farness(a) - farness(b) || (a < b ? -1 : 1)).slice(0, 3);
}

/** Equal for equal rules, however their numbers were written: 499.990 is 499.99. */
export function canonicalRule(rule: Rule): string {
  return JSON.stringify(sortedFields(rule));
}

function sortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, part]) => [name, sortedFields(part)]));
}
