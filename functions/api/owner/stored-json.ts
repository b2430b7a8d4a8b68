// A stored item as the export shows it: its own fields in the API's spelling, without keys, places in indexes and
// secrets.

import { channelTargetSchema, shownTarget } from '#shared/delivery/channels/channels.ts';
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';

/** What says where an item is stored, or who works on it. */
const places = new Set([
  ...['pk', 'sk', 'entity', 'ownerKey', 'ownerSort', 'unfinishedShard', 'nextAttemptAt'],
  ...['lease', 'leaseUntil', 'claims', 'moves'],
]);

/** What would let its reader act as the owner, or speak to a receiver as we do. */
const secrets = new Set(['hash', 'stopUrl', 'confirmUrl']);

/** An item's fields. A number that is a time is shown as ISO 8601. */
export function storedJson(raw: RawItem): Record<string, unknown> {
  const shown = Object.entries(raw).filter(([name]) => !places.has(name) && !secrets.has(name));
  return Object.fromEntries(shown.map(([name, value]) => [fieldOf(name), shownValue(name, value)]));
}

function fieldOf(name: string): string {
  if (name === 'expiresAtEpochSeconds') return 'expires_at';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shownValue(name: string, value: unknown): unknown {
  if (name === 'target') return maskedTarget(value);
  if (name === 'expiresAtEpochSeconds') return timeOf(Number(value) * 1_000);
  if (/(At|Until|Since)$/.test(name) && typeof value === 'number') return timeOf(value);
  return value instanceof Set ? [...value] : value;
}

/** A damaged number stays as it is. */
function timeOf(at: number): string | number {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toISOString();
}

/** URLs, keys and the secrets of signatures are write-only in the whole API; so is all of a damaged target. */
function maskedTarget(value: unknown): unknown {
  const { data: target } = channelTargetSchema.safeParse(value);
  return target === undefined ? null : { kind: target.kind, ...shownTarget(target) };
}
