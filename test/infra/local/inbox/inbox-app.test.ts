import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInboxApp } from '#infra/local/inbox/inbox-app.ts';
import { Mailbox } from '#infra/local/inbox/mailbox.ts';

let mailbox: Mailbox;
let ask: (path: string, init?: RequestInit) => Promise<Response>;

beforeEach(() => {
  mailbox = new Mailbox(':memory:');
  const app = createInboxApp(mailbox);
  ask = async (path, init) => app.request(`http://127.0.0.1:7472${path}`, init);
});
afterEach(() => mailbox.close());

const htmlMail = Buffer.from(
  'From: alerts@getin.example\r\nTo: ann@example.com\r\nSubject: Knicks at Heat\r\n' +
    'Content-Type: text/html; charset=utf-8\r\n\r\n' +
    '<!doctype html><html><head><base target="_self"></head><body><a href="/x">Stop</a></body></html>',
);

describe('the inbox', () => {
  it('serves a page that runs its own scripts only and that no other page frames', async () => {
    const page = await ask('/');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const own = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(own).toHaveLength(7);
    for (const path of own) expect((await ask(path ?? '')).status).toBe(200);
  });

  it('answers 304 as long as the mails are the same', async () => {
    mailbox.receive(htmlMail);
    const first = await ask('/inbox/mails');
    const etag = first.headers.get('etag') ?? '';
    const again = () => ask('/inbox/mails', { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    await ask('/inbox/mails/1/read', { method: 'POST' });
    expect(await (await again()).json()).toMatchObject({ counts: { all: 1, unread: 0 } });
  });

  it('answers anew when a run with as many mails was started', async () => {
    const etag = (await ask('/inbox/mails')).headers.get('etag') ?? '';
    const other = createInboxApp(mailbox);
    const headers = { 'if-none-match': etag };
    expect((await other.request('http://127.0.0.1/inbox/mails', { headers })).status).toBe(200);
  });

  it('marks mails read and unread', async () => {
    mailbox.receive(htmlMail);
    mailbox.receive(htmlMail);
    const unread = async () => (await mailbox.list()).mails.map((mail) => mail.unread);
    await ask('/inbox/mails/1/read', { method: 'POST' });
    expect(await unread()).toEqual([true, false]);
    await ask('/inbox/mails/1/unread', { method: 'POST' });
    expect(await unread()).toEqual([true, true]);
    await ask('/inbox/mails/read', { method: 'POST' });
    expect(await unread()).toEqual([false, false]);
  });

  it('serves the HTML of a mail in a sandbox of its own, with links that open a new tab', async () => {
    mailbox.receive(htmlMail);
    const document = await ask('/inbox/mails/1/html');
    expect(document.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; " +
        'img-src http://127.0.0.1:* http://localhost:* data:; ' +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
        'sandbox allow-popups allow-popups-to-escape-sandbox',
    );
    expect(await document.text()).toMatch(
      /^<!doctype html><meta charset="utf-8"><base target="_blank"><!doctype html>/,
    );
  });

  it('serves the source of a mail as text', async () => {
    mailbox.receive(htmlMail);
    const source = await ask('/inbox/mails/1/source');
    expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(source.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await source.text()).toBe(htmlMail.toString());
  });

  it.each([
    '/inbox/mails/1',
    '/inbox/mails/1/html',
    '/inbox/mails/1/source',
    '/inbox/mails/x',
    '/inbox/../mailbox.ts',
  ])('answers 404 for %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('is closed to a website whose name leads to this machine', async () => {
    const app = createInboxApp(mailbox);
    const rebound = await app.request('http://evil.example:7472/inbox/mails');
    expect([rebound.status, await rebound.text()]).toEqual([
      403,
      'The inbox is open to this machine only.',
    ]);
    for (const host of ['localhost', '[::1]']) {
      expect((await app.request(`http://${host}:7472/inbox/mails`)).status).toBe(200);
    }
  });

  it('takes no post from another website', async () => {
    mailbox.receive(htmlMail);
    const headers = { 'sec-fetch-site': 'cross-site' };
    const posted = await ask('/inbox/mails/1/read', { method: 'POST', headers });
    expect(posted.status).toBe(403);
    expect((await mailbox.list()).counts.unread).toBe(1);
  });
});
