/**
 * The HTML of a mail as a document for a frame of the inbox: it runs no script, reads nothing of the
 * inbox, and loads images from this machine only. Its links open in a new tab.
 */

/** Tabs that its links open are normal ones again; otherwise the pages there could run nothing. */
const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox';

/** The same limits as a header, for a mail that is opened without the frame. */
export const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src http://127.0.0.1:* http://localhost:* data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  `sandbox ${frameSandbox}`,
].join('; ');

/**
 * A browser takes the first doctype and the first target that it meets, and skips those of the mail,
 * so the mail needs no parsing.
 */
export function mailDocument(html: string): string {
  return `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`;
}
