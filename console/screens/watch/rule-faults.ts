// What the API refuses of a watch and its rules, by its place.
import { RefusedError } from '../../api/errors.ts';

/** What the API refuses of a rule: by the field in it, such as `drops_by/percent`. */
export type RuleFaults = ReadonlyMap<string, string>;

/** What the API refused, by its place in the watch; empty if it was something else. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> {
  const faults = error instanceof RefusedError ? error.faults : [];
  return new Map(
    faults.map(({ pointer, detail }) => [
      pointer.replace(/^#\//, '').replace(/^(rules\/\d+\/)rule\//, '$1'),
      detail,
    ]),
  );
}

/** The faults of one rule, by its fields. */
export function faultsUnder(faults: ReadonlyMap<string, string>, place: string): RuleFaults {
  return new Map(
    [...faults].flatMap(([pointer, detail]) =>
      pointer.startsWith(place) ? [[pointer.slice(place.length), detail] as const] : [],
    ),
  );
}
