// The headers of the pages behind links. Their addresses are secrets and their buttons act without a login, so
// nothing is kept, framed, loaded or told to other sites.
import type { MiddlewareHandler } from 'hono';
import { pagePolicy } from './page-style.ts';

const refused = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics'];

const headers = {
  'content-security-policy': pagePolicy,
  'cache-control': 'no-store',
  'permissions-policy': refused.map((feature) => `${feature}=()`).join(', '),
  'x-robots-tag': 'noindex, nofollow',
};

/** Sets them on every answer; the app itself sets those that every answer of the API has. */
export const pageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};
