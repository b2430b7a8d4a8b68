// How a row of the ledger is parsed where one of its attributes is damaged.
import { orElse, type RawItem } from './attribute-readings.ts';

/** A damaged row counts as one pull, the upper bound for a call: never one too few. */
export const pullReadings = {
  day: { otherwise: dayOf },
  callId: { otherwise: callOf },
  eventId: { otherwise: (raw: RawItem) => Number(callOf(raw).split('#')[1]) },
  kind: { otherwise: (raw: RawItem) => callOf(raw).split('#')[0] },
  pulls: orElse(1),
  // Its cost can no longer be corrected from the marketplace's usage.
  state: orElse('settled'),
  pulledAt: { otherwise: (raw: RawItem) => Date.parse(dayOf(raw)) },
} as const;

function dayOf({ pk }: RawItem): string {
  return String(pk).slice('LEDGER#'.length);
}

function callOf({ sk }: RawItem): string {
  return String(sk).slice('PULL#'.length);
}
