/** Receives webhooks as a customer does: checks the signature, answers, and records each alert with its time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { closeServer, httpServer, listenOnLoopback } from '#infra/local/loopback.ts';
import { webhookPayloadSchema } from '#shared/delivery/message/webhook-payload.ts';

/** One received alert. Times are epoch milliseconds. */
export interface Receipt {
  alertId: string;
  deliveryId: string;
  observedAt: number;
  receivedAt: number;
}

export interface Receiver {
  /** The address of a webhook; posts to it must be signed with the secret that it was given. */
  urlOf(name: string): string;
  trust(name: string, secret: string): void;
  stop(): Promise<void>;
}

/** @param onRefused called with the reason of each 401 */
export async function startReceiver(
  onReceipt: (receipt: Receipt) => void,
  onRefused: (reason: string) => void,
): Promise<Receiver> {
  const signers = new Map<string, Webhook>();
  const server = httpServer(serve);
  const port = await listenOnLoopback(server, 0);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const receivedAt = Date.now();
    try {
      const headers = request.headers as Record<string, string>;
      const signer = signers.get(request.url ?? '');
      if (!signer) throw new Error(`nobody expects a post to ${request.url}`);
      for (const alert of alertsIn(signer.verify(body, headers))) {
        const deliveryId = String(headers['webhook-id']);
        const observedAt = Date.parse(alert.observed_at);
        onReceipt({ alertId: alert.id, deliveryId, observedAt, receivedAt });
      }
      response.statusCode = 204;
    } catch (error) {
      onRefused(`a webhook was refused: ${error instanceof Error ? error.message : error}`);
      response.statusCode = 401;
    }
    response.end();
  }

  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    trust: (name, secret) => void signers.set(`/${name}`, new Webhook(secret)),
    stop: () => closeServer(server),
  };
}

function alertsIn(body: unknown) {
  const payload = webhookPayloadSchema.parse(body);
  if (payload.type === 'alert.fired' || payload.type === 'alert.recovered') {
    return [payload.data.alert];
  }
  if (payload.type !== 'alerts.fired') return [];
  return [...payload.data.alerts, ...(payload.data.recovered ?? [])];
}
