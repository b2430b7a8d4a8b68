// The alerts that a webhook's body has no room for: their number, their ids as far as they fit, and the
// address that lists exactly them.
import { utf8Bytes } from './plain-text.ts';

/** The fields of a body that leaves alerts out. */
export interface UntoldFields {
  more: number;
  more_ids?: string[];
  more_url?: string | null;
}

/** The most bytes of the listed ids, commas and quotes included: some 120 ids. */
const idsBudget = 5_000;

interface Untold {
  deliveryId: string;
  /** The ids that the body leaves out, in the order of the message. */
  ids: readonly string[];
  /** Every id of the delivery. */
  all: Iterable<string>;
  /** The channel's stop address, `…/l/TOKEN`; undefined for a channel without one. */
  stopUrl: string | undefined;
}

/** Only `more` if the body tells every alert. */
export function untoldFields({ deliveryId, ids, all, stopUrl }: Untold): UntoldFields {
  const more = ids.length;
  if (more === 0) return { more };
  let room = idsBudget;
  const tooMany = ids.findIndex((id) => {
    room -= utf8Bytes(id) + 3;
    return room < 0;
  });
  return {
    more,
    more_ids: ids.slice(0, tooMany === -1 ? more : tooMany),
    more_url: listUrl(stopUrl, deliveryId, untoldMark(ids, all)),
  };
}

function listUrl(stopUrl: string | undefined, deliveryId: string, mark: string): string | null {
  const [publicUrl, token] = stopUrl?.split('/l/') ?? [];
  if (token === undefined) return null;
  return `${publicUrl}/v1/alerts?delivery_id=${deliveryId}&untold=${mark}`;
}

/** The form of a mark: the number of ids, and a bit for each in base64url. */
export const untoldPattern = /^\d{1,4}-[\w-]{1,200}$/;

/**
 * Marks some of a delivery's alerts: a bit for each of its ids in their sorted order, so that the list behind
 * `more_url` is exact before the attempt is recorded.
 * @param all every id of the delivery.
 */
export function untoldMark(ids: readonly string[], all: Iterable<string>): string {
  const sorted = [...new Set(all)].sort();
  const marked = new Set(ids);
  const bits = Buffer.alloc(Math.ceil(sorted.length / 8));
  for (const [place, id] of sorted.entries()) {
    if (marked.has(id))
      bits.writeUInt8(bits.readUInt8(place >> 3) | (1 << (place & 7)), place >> 3);
  }
  return `${sorted.length}-${bits.toString('base64url')}`;
}

/** The marked ids; undefined for a mark that was not made of these ids. */
export function readUntoldMark(mark: string, all: Iterable<string>): string[] | undefined {
  const sorted = [...new Set(all)].sort();
  const [count = '', text = ''] = mark.split(/-(.*)/s);
  const bits = Buffer.from(text, 'base64url');
  const isWhole = bits.toString('base64url') === text;
  if (!isWhole || Number(count) !== sorted.length) return undefined;
  if (bits.length !== Math.ceil(sorted.length / 8)) return undefined;
  return sorted.filter((_, place) => (bits.readUInt8(place >> 3) & (1 << (place & 7))) !== 0);
}
