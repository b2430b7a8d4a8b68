// The response headers, as the document describes them.

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const headers = {
  'X-Request-Id': text('The id of this request in our log'),
  'RateLimit-Limit': integer('Requests allowed in a window'),
  'RateLimit-Remaining': integer('Requests left in the window'),
  'RateLimit-Reset': integer('Seconds until the next window'),
  'Retry-After': integer('Seconds to wait'),
  Location: text('The path of the job'),
  ETag: text('For If-None-Match, and for If-Match where the item has a version'),
};

/** All of them, for the document's components. */
export function headerComponents(): Record<string, unknown> {
  return headers;
}

/** References to the headers of one answer. */
export function headerRefs(which: {
  isLimited: boolean;
  hasTag?: boolean;
  retry?: boolean;
  hasLocation?: boolean;
}): Record<string, unknown> {
  const names: (keyof typeof headers)[] = ['X-Request-Id'];
  if (which.isLimited) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  if (which.retry) names.push('Retry-After');
  if (which.hasLocation) names.push('Location');
  if (which.hasTag) names.push('ETag');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
