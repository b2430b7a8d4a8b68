/**
 * The inbox of the local run over HTTP: its page, and the mails as JSON. Only pages of this machine
 * may call it. It is no part of the product.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { mailDocument, mailPolicy } from './mail-document.ts';
import type { Mailbox } from './mailbox.ts';

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const ownHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function createInboxApp(mailbox: Mailbox): Hono {
  const app = new Hono();
  app.use(onlyThisMachine, withSafeHeaders);
  servePage(app);
  serveMails(app, mailbox);
  return app;
}

const pageFolder = join(import.meta.dirname, 'page');
const deskStyles = join(import.meta.dirname, '../../../console/styles');

/** The page's files and the desk's styles that it has, read once: a run serves the files that it was started with. */
function servePage(app: Hono): void {
  const own = readdirSync(pageFolder).map((file) => join(pageFolder, file));
  const shared = ['tokens.css', 'bar.css', 'controls.css'].map((file) => join(deskStyles, file));
  for (const file of [...own, ...shared]) {
    const content = readFileSync(file);
    const type = contentTypes[extname(file)] ?? 'application/octet-stream';
    const path = basename(file) === 'inbox.html' ? '/' : `/inbox/${basename(file)}`;
    app.get(path, ({ body }) =>
      body(content, 200, { 'content-type': type, 'content-security-policy': pagePolicy }),
    );
  }
}

function serveMails(app: Hono, mailbox: Mailbox): void {
  // The number of changes alone would name the same mails after a restart.
  const opened = randomUUID();

  app.get('/inbox/mails', async ({ req, body, json }) => {
    const etag = `"${opened}-${mailbox.changes}"`;
    const headers = { etag, 'cache-control': 'no-cache' };
    if (req.header('if-none-match') === etag) return body(null, 304, headers);
    return json(await mailbox.list(req.query('search')), 200, headers);
  });

  app.get('/inbox/mails/:id{[0-9]+}', async ({ req, json, notFound }) => {
    const mail = await mailbox.find(Number(req.param('id')));
    if (!mail) return notFound();
    const { html, ...told } = mail;
    return json({ ...told, hasHtml: html !== undefined });
  });

  app.get('/inbox/mails/:id{[0-9]+}/html', async ({ req, html, notFound }) => {
    const mail = await mailbox.find(Number(req.param('id')));
    if (mail?.html === undefined) return notFound();
    return html(mailDocument(mail.html), 200, { 'content-security-policy': mailPolicy });
  });

  app.get('/inbox/mails/:id{[0-9]+}/source', ({ req, body, notFound }) => {
    const source = mailbox.sourceOf(Number(req.param('id')));
    if (!source) return notFound();
    return body(Buffer.from(source), 200, { 'content-type': 'text/plain; charset=utf-8' });
  });

  for (const [path, unread] of [
    ['read', false],
    ['unread', true],
  ] as const) {
    app.post(`/inbox/mails/:id{[0-9]+}/${path}`, ({ req, body, notFound }) =>
      mailbox.mark(Number(req.param('id')), { unread }) ? body(null, 204) : notFound(),
    );
  }

  app.post('/inbox/mails/read', ({ body }) => {
    mailbox.markAllRead();
    return body(null, 204);
  });
}

/**
 * A website that a person visits could name this machine as its own host, or post to it. Neither may
 * read the mails or change them.
 */
const onlyThisMachine: MiddlewareHandler = async ({ req, text }, next) => {
  const isOwnHost = ownHosts.has(new URL(req.url).hostname);
  const isOwnPage = ['same-origin', 'none', undefined].includes(req.header('sec-fetch-site'));
  if (isOwnHost && (isOwnPage || req.method === 'GET')) return next();
  return text('The inbox is open to this machine only.', 403);
};

const withSafeHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('x-content-type-options', 'nosniff');
  context.header('referrer-policy', 'no-referrer');
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
};
