// The time zones that a person can choose from.
import { clockText } from '../../words/times.ts';

/** Every zone that the browser knows. */
export function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}

/** `It is 14:06 there.`; for a name that is no zone, what to write. */
export function clockThere(zone: string, now: number): string {
  try {
    return `It is ${clockText(now, zone)} there.`;
  } catch {
    return 'Write a city or a continent, and choose from the list.';
  }
}
