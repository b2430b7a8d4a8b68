// Shares of the daily cap, as a form has them in percent.
import { numberIn } from '../../words/typed-number.ts';

/** By owner id, a part of one. */
export type Shares = Readonly<Record<string, number>>;

/**
 * The shares that a form changes, from percents as they are written: null where the field is empty. The API refuses a
 * text that is no number.
 */
export function changedShares(
  before: Shares,
  percents: Readonly<Record<string, string>>,
): Record<string, number | string | null> {
  const changes = Object.entries(percents).map(([id, text]) => {
    const percent = numberIn(text);
    const written = percent === undefined ? text : percent / 100;
    return [id, text.trim() === '' ? null : written] as const;
  });
  return Object.fromEntries(changes.filter(([id, share]) => share !== (before[id] ?? null)));
}

/** The shares that put a change back. */
export function sharesBefore(before: Shares, change: object): Record<string, number | null> {
  return Object.fromEntries(Object.keys(change).map((id) => [id, before[id] ?? null]));
}

/** `12.5` of a share of 0.125. */
export function percentOf(share: number | undefined): string {
  return share === undefined ? '' : String(Math.round(share * 1_000_000) / 10_000);
}
