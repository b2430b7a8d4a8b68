// Where a price stands among its own prices of 30 days.

interface Place {
  low: number;
  high: number;
  /** The percent of its hours in which the price was lower than now; null while nothing is for sale. */
  lower_percent: number | null;
}

/** `lowest 9%`, `highest 4%`, `in the middle`; `–` while nothing is known. */
export function placeText(place: Place | null | undefined): string {
  const lower = place?.lower_percent ?? null;
  if (!place || lower === null) return '–';
  if (place.low === place.high) return 'unchanged';
  if (lower <= 30) return `lowest ${Math.max(1, Math.round(lower))}%`;
  if (lower >= 70) return `highest ${Math.max(1, Math.round(100 - lower))}%`;
  return 'in the middle';
}

/** How far a price is on the way from its low to its high, 0 to 1; undefined while nothing is known. */
export function shareOf(price: number | null, place: Place | null): number | undefined {
  if (price === null || !place) return undefined;
  const reach = place.high - place.low;
  return reach === 0 ? 0.5 : Math.min(1, Math.max(0, (price - place.low) / reach));
}
