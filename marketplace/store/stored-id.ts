/**
 * Converts a listing id for a statement. Node binds a number as a float, a bigint as an integer.
 */
export function toStoredId(listingId: number | string): bigint | string {
  return typeof listingId === 'number' ? BigInt(listingId) : listingId;
}
