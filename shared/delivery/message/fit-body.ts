// Keeps a webhook's body under the size that Standard Webhooks advises: first with shorter alerts, then with
// fewer.
import { utf8Bytes } from './plain-text.ts';

/** Standard Webhooks advises bodies under 20 KB. */
export const bodyBudget = 20_000;

/** How much a body tells: the first `alerts` of its alerts, each in at most `alertBytes` of JSON. */
export interface BodyLimits {
  alerts: number;
  alertBytes: number;
}

/** Sizes to try for the only alert of a body, and for each of several. */
const sizesAlone = [19_400, 8_000, 2_500, 0];
const sizesAmongOthers = [2_500, 0];

/**
 * The body that tells most within the budget; undefined if not even one shortened alert fits.
 * @param alerts how many there are.
 * @param bodyOf composes a body within limits; undefined if it would be far too large.
 */
export function fitBody(
  alerts: number,
  bodyOf: (limits: BodyLimits) => string | undefined,
): string | undefined {
  const fitting = (limits: BodyLimits) => {
    const body = bodyOf(limits);
    return body !== undefined && utf8Bytes(body) <= bodyBudget ? body : undefined;
  };
  const whole = fitting({ alerts, alertBytes: Number.POSITIVE_INFINITY });
  if (whole !== undefined) return whole;
  for (const alertBytes of alerts > 1 ? sizesAmongOthers : sizesAlone) {
    const body = mostOf(Math.max(alerts, 1), (told) => fitting({ alerts: told, alertBytes }));
    if (body !== undefined) return body;
  }
  return undefined;
}

/** The body with the highest number that fits: doubles the number until it is too high, then halves the gap. */
function mostOf(
  highest: number,
  fitting: (alerts: number) => string | undefined,
): string | undefined {
  let best: string | undefined;
  let low = 1;
  let high = highest;
  let tried = 1;
  while (low <= high) {
    const body = fitting(tried);
    if (body === undefined) high = tried - 1;
    else {
      best = body;
      low = tried + 1;
    }
    tried = Math.min(2 * tried, Math.ceil((low + high) / 2));
  }
  return best;
}
