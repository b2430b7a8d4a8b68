/**
 * SES on this machine, with a web inbox: aws-ses-v2-local. Mail is kept only while the process
 * runs.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { guardServer } from '../access/guard-server.ts';
import { addressOf, closeServer, loopbackAddress, portOf } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

// Use `require`: loaders differ on the `default` of this CommonJS module.
const { default: startServer }: typeof import('aws-ses-v2-local') = createRequire(import.meta.url)(
  'aws-ses-v2-local',
);

/** The quota of a production account, raised so that no replay waits for mail. */
const quota = { Max24HourSend: 1_000_000, MaxSendRate: 1_000, SentLast24Hours: 0 };

export async function startSes(port: number, access: GatekeeperOptions): Promise<Emulator> {
  const server = await startServer({ port, host: loopbackAddress });
  answerQuota(server);
  const gatekeeper = guardServer(server, access);
  return {
    url: addressOf(portOf(server)),
    hold: (principals) => gatekeeper.hold(principals),
    stop: () => closeServer(server),
  };
}

/** The emulator lacks GetSendQuota, which send-email calls to keep to the account's rate. */
function answerQuota(server: Server): void {
  const [emulator] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return emulator?.(request, response);
    request.once('readable', () => {
      const start = request.read() as Buffer | null;
      if (start?.includes('Action=GetSendQuota')) return response.end(quotaAnswer);
      if (start) request.unshift(start);
      return emulator?.(request, response);
    });
  });
}

const quotaAnswer = `<GetSendQuotaResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><GetSendQuotaResult>${Object.entries(
  quota,
)
  .map(([name, value]) => `<${name}>${value}</${name}>`)
  .join('')}</GetSendQuotaResult></GetSendQuotaResponse>`;
