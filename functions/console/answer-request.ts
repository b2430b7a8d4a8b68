// The HTTP side of the desk: the page at every address, its scripts and styles, and how they are cached.
import { type RouteReply, type RouteRequest, textAnswer } from '#shared/lambda/route-handler.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';

/** Where a person begins. */
const firstPage = '/console/board';
const assetsFolder = 'assets/';

/** Everything comes from this host, and nothing runs but the desk's own scripts. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On each file: no other site may frame, embed or learn of it. */
const safetyHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
} as const;

/** Answers `GET` and `HEAD` of `/` and `/console/{proxy+}`. */
export function answerRequest(request: RouteRequest, files: ConsoleFiles): RouteReply {
  const { proxy } = request.path;
  if (proxy === undefined) {
    return { status: 302, headers: { location: firstPage, 'cache-control': 'no-store' } };
  }
  if (!proxy.startsWith(assetsFolder)) {
    const headers = { 'content-security-policy': pagePolicy, 'x-frame-options': 'DENY' };
    return fileReply(request, files.page, { ...headers, 'cache-control': 'no-cache' });
  }
  const asset = files.assets.get(proxy.slice(assetsFolder.length));
  if (!asset) return textAnswer(404, 'There is no such file.');
  return fileReply(request, asset, { 'cache-control': 'public, max-age=31536000, immutable' });
}

function fileReply(
  { headers: asked = {}, wantsBody }: RouteRequest,
  { type, plain, compressed }: ConsoleFile,
  headers: RouteReply['headers'],
): RouteReply {
  const isCompressed = takesBrotli(asked['accept-encoding']);
  const body = isCompressed ? compressed : plain;
  return {
    status: 200,
    headers: {
      ...safetyHeaders,
      ...headers,
      'content-type': type,
      vary: 'accept-encoding',
      ...(isCompressed && { 'content-encoding': 'br' }),
    },
    ...(wantsBody && { body }),
  };
}

/** RFC 9110, 12.5.3: named, unless its weight is 0. */
function takesBrotli(acceptEncoding = ''): boolean {
  return acceptEncoding
    .split(',')
    .some((coding) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}
