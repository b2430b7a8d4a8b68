/**
 * A webhook receiver on this machine: checks each signature as a customer would, and shows the last
 * posts. Accepts only correctly signed posts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { addressOf, closeServer, httpServer, listenOnLoopback } from '../loopback.ts';

/** Number of posts kept and shown. */
const keptPosts = 50;

const secretsSchema = z.array(z.string());

export interface ReceivedPost {
  received_at: string;
  webhook_id: string;
  verified: boolean;
  body: unknown;
}

export class WebhookReceiver {
  readonly #secretsFile: string;
  readonly #secrets: string[];
  readonly #posts: ReceivedPost[] = [];
  readonly #server = httpServer((request, response) => this.#serve(request, response));

  /** @param secretsFile stores the signing secrets, so that they survive a restart */
  constructor(secretsFile: string) {
    this.#secretsFile = secretsFile;
    this.#secrets = existsSync(secretsFile)
      ? secretsSchema.parse(JSON.parse(readFileSync(secretsFile, 'utf8')))
      : [];
  }

  /** @returns the receiver's address */
  async listen(port: number): Promise<string> {
    return addressOf(await listenOnLoopback(this.#server, port));
  }

  /** Also accepts posts signed with this secret. */
  trust(secret: string): void {
    if (this.#secrets.includes(secret)) return;
    this.#secrets.push(secret);
    writeFileSync(this.#secretsFile, JSON.stringify(this.#secrets), { mode: 0o600 });
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') return this.#receive(request, response);
    const wantsPage = request.headers.accept?.includes('text/html');
    response.setHeader('content-type', wantsPage ? 'text/html;charset=utf-8' : 'application/json');
    response.end(wantsPage ? page(this.#posts) : JSON.stringify({ posts: this.#posts }, null, 2));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const verified = this.#isSigned(body, request);
    this.#posts.unshift({
      received_at: new Date().toISOString(),
      webhook_id: String(request.headers['webhook-id']),
      verified,
      body: parseJson(body),
    });
    this.#posts.length = Math.min(this.#posts.length, keptPosts);
    response.statusCode = verified ? 204 : 401;
    response.end();
  }

  #isSigned(body: string, { headers }: IncomingMessage): boolean {
    const signed = {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    };
    return this.#secrets.some((secret) => isSignedWith(secret, body, signed));
  }
}

function isSignedWith(secret: string, body: string, signed: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, signed);
    return true;
  } catch {
    return false;
  }
}

function page(posts: readonly ReceivedPost[]): string {
  const items = posts.map(
    ({ received_at, verified, webhook_id, body }) =>
      `<li><b>${escapeHtml(received_at)}</b> ${verified ? 'signature valid' : 'refused: bad signature'}
       <code>${escapeHtml(webhook_id)}</code><pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre></li>`,
  );
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<title>Webhooks received</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}
pre{overflow:auto;background:#8882;padding:1rem}</style>
<h1>Webhooks received</h1>
${items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>None yet. They appear here as alerts fire.</p>'}`;
}

function escapeHtml(unsafe: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return unsafe.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
