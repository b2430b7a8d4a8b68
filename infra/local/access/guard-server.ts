/**
 * Puts a gatekeeper before an emulator's own server, in the same process, so that an allowed call
 * needs no extra hop. A denied call gets AWS's own answer.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AwsService } from './aws-call.ts';
import { Gatekeeper, type GatekeeperOptions } from './gatekeeper.ts';

/** @returns the gatekeeper, which allows every call until `hold` */
export function guardServer(server: Server, options: GatekeeperOptions): Gatekeeper {
  const gatekeeper = new Gatekeeper(options);
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const pass: RequestListener = (request, response) => {
    for (const handle of handlers) handle.call(server, request, response);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!gatekeeper.concerns(request.headers)) return pass(request, response);
    withBody(request, (body) => {
      const denial = gatekeeper.denial(request.headers, body);
      if (denial === undefined) pass(request, response);
      else deny(response, options.service, denial);
    });
  });
  return gatekeeper;
}

/** Reads the whole body and puts it back for the next handler. */
export function withBody(request: IncomingMessage, use: (body: string) => void): void {
  const expected = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  const read = (): void => {
    for (let chunk = request.read(); chunk !== null; chunk = request.read()) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size < expected) return;
    request.off('readable', read);
    const body = Buffer.concat(chunks);
    if (size > 0) request.unshift(body);
    use(body.toString('utf8'));
  };
  if (expected === 0) use('');
  else request.on('readable', read);
}

function deny(response: ServerResponse, service: AwsService, message: string): void {
  if (service === 'ses') {
    response.writeHead(403, { 'content-type': 'text/xml' });
    response.end(
      `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type>` +
        `<Code>AccessDenied</Code><Message>${message}</Message></Error></ErrorResponse>`,
    );
    return;
  }
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(
    JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message }),
  );
}
