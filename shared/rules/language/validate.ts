/**
 * Validates a rule that a person sent: reports every fault at once, in words, with its place. Checks zones
 * only if the caller gives them.
 */
import type * as z from 'zod';
import { changeFaults } from './change-faults.ts';
import { modifierFaults, tableFaults } from './modifier-faults.ts';
import { type Rule, ruleSchema } from './rule.ts';
import { pointerOf, type RuleFault } from './rule-fault.ts';
import { zoneFaults } from './zone-names.ts';

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
