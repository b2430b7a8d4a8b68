// What the API says is wrong with a request, by the field of the form.
import type { RefusedError } from '../api/errors.ts';

/** By the first name in each pointer; `#/headers/Host` is about the field `headers`, and says which part. */
export function faultsByField(faults: RefusedError['faults']): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const { pointer, detail } of faults) {
    const [name = '', ...rest] = pointer.replace(/^#?\//, '').split('/');
    byField[name] ??= [...rest, detail].join(' ');
  }
  return byField;
}
