/**
 * SES on this machine: aws-ses-v2-local, which has the mails since the start at `/store`. The inbox
 * in front of it has a page for people, and keeps the mails over a restart.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { getRequestListener } from '@hono/node-server';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { guardServer, withBody } from '../access/guard-server.ts';
import { createInboxApp } from '../inbox/inbox-app.ts';
import { Mailbox } from '../inbox/mailbox.ts';
import { addressOf, closeServer, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

// Use `require`: loaders differ on the `default` of this CommonJS module.
const { default: startServer }: typeof import('aws-ses-v2-local') = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

/** The quota of a production account, raised so that no replay waits for mail. */
const quota = { Max24HourSend: 1_000_000, MaxSendRate: 1_000, SentLast24Hours: 0 };

export interface SesOptions {
  port: number;
  access: GatekeeperOptions;
  /** The file that keeps the mails. @default memory */
  mailFile?: string;
  /** @default the time of this machine */
  now?: () => number;
}

/** @throws LocalRunError if the file is no mailbox */
export async function startSes(options: SesOptions): Promise<Emulator> {
  const { port, access, mailFile = ':memory:', now } = options;
  const mailbox = new Mailbox(mailFile, now);
  const server = await startServer({ port, host: loopbackAddress });
  const [emulator] = server.listeners('request') as RequestListener[];
  const inbox = getRequestListener(createInboxApp(mailbox).fetch, { overrideGlobalObjects: false });
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isForInbox(request)) return void inbox(request, response);
    withBody(request, (body) => {
      const call = new URLSearchParams(body);
      if (call.get('Action') === 'GetSendQuota') return response.end(quotaAnswer);
      if (call.get('Action') === 'SendRawEmail') keepAcceptedMail(call, response, mailbox);
      emulator?.(request, response);
    });
  });
  const gatekeeper = guardServer(server, access);
  return {
    url: addressOf(portOf(server)),
    hold: (principals) => gatekeeper.hold(principals),
    stop: async () => {
      await closeServer(server);
      mailbox.close();
    },
  };
}

function isForInbox({ method, url = '/' }: IncomingMessage): boolean {
  return url.startsWith('/inbox/') || (method !== 'POST' && /^\/(?:\?|$)/.test(url));
}

/** Before the answer leaves, so that no accepted mail is lost if the run is killed. */
function keepAcceptedMail(call: URLSearchParams, response: ServerResponse, mailbox: Mailbox): void {
  const { end } = response;
  response.end = ((...content: Parameters<typeof end>) => {
    response.end = end;
    if (response.statusCode === 200) {
      mailbox.receive(Buffer.from(call.get('RawMessage.Data') ?? '', 'base64'));
    }
    return response.end(...content);
  }) as typeof end;
}

/** The emulator lacks GetSendQuota, which send-email calls to keep to the account's rate. */
const quotaAnswer = `<GetSendQuotaResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><GetSendQuotaResult>${Object.entries(
  quota,
)
  .map(([name, value]) => `<${name}>${value}</${name}>`)
  .join('')}</GetSendQuotaResult></GetSendQuotaResponse>`;
