// The zones that a rule names: whether the event has them, and how the event spells them. Case, Unicode form
// and spaces make no difference, unless the event has zones that differ only by these.
import { distance } from 'fastest-levenshtein';
import type { Rule } from './rule.ts';
import { pointerOf, type RuleFault } from './rule-fault.ts';

const mostNested = 12;

/** Checks the raw input, so that a misspelt zone is reported together with all other faults. */
export function zoneFaults(input: unknown, zones: readonly string[] | undefined): RuleFault[] {
  if (zones === undefined) return [];
  return namedZones(input, [])
    .filter(({ name }) => spellingOf(name, zones) === undefined)
    .map(({ path, name }) => ({ pointer: pointerOf(path), message: unknownZone(name, zones) }));
}

/** A rule with its zones in the event's spelling. A zone that the event does not have stays as it is. */
export function spellZones(rule: Rule, zones: readonly string[] | undefined): Rule {
  if (zones === undefined) return rule;
  const spelled = structuredClone(rule);
  for (const { path, name } of namedZones(rule, [])) {
    const spelling = spellingOf(name, zones);
    if (spelling !== undefined) put(spelled, path, spelling);
  }
  return spelled;
}

/** The event's name for a zone: the same text, or the only one that differs just in case, form or spaces. */
function spellingOf(typed: string, zones: readonly string[]): string | undefined {
  if (zones.includes(typed)) return typed;
  const wanted = folded(typed);
  const same = zones.filter((zone) => folded(zone) === wanted);
  return same.length === 1 ? same[0] : undefined;
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function put(into: unknown, path: readonly PropertyKey[], value: string): void {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce(fieldOf, into);
  if (last !== undefined && isObject(holder)) holder[last] = value;
}

function fieldOf(value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
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
  if (typeof value !== 'object' || value === null || path.length > mostNested) return [];
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
