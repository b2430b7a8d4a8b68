/**
 * Runs in its own process: loads one function's bundle, answers invocations one at a time, and
 * reports the resources of each. Calls are counted through Node's own diagnostics channels.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ThreadData } from '#infra/local/lambda/messages.ts';
import { CallClock, type ProcessFigures } from './figures.ts';

interface Invoke {
  requestId: string;
  event: string;
  deadline: number;
}

const awsHosts = new Set(
  Object.entries(process.env).flatMap(([name, url = '']) =>
    name.startsWith('AWS_ENDPOINT_URL') ? [new URL(url).host] : [],
  ),
);
const aws = new CallClock();
const outbound = new CallClock();
subscribe('http.client.request.start', (message) => {
  const request = requestIn(message);
  clockOf(request).begin(request);
});
subscribe('http.client.response.finish', (message) => {
  const request = requestIn(message);
  clockOf(request).end(request);
});

// The client of the marketplace uses fetch, which has channels of its own.
subscribe('undici:request:create', (message) => outbound.begin(fetchIn(message)));
subscribe('undici:request:trailers', (message) => outbound.end(fetchIn(message)));
subscribe('undici:request:error', (message) => outbound.end(fetchIn(message)));

const data: ThreadData = JSON.parse(process.env.BENCH_FUNCTION ?? '');
const before = process.cpuUsage();
const { [data.handlerName]: handler } = await import(data.bundleUrl);
process.send?.({ kind: 'loaded', initCpuMs: cpuMsSince(before) });

process.on('message', async ({ requestId, event, deadline }: Invoke) => {
  aws.reset();
  outbound.reset();
  const start = process.cpuUsage();
  const context = {
    ...{ awsRequestId: requestId, functionName: data.functionName, functionVersion: '$LATEST' },
    ...{ invokedFunctionArn: data.functionArn, memoryLimitInMB: String(data.memoryMb) },
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  const outcome = await Promise.resolve(handler(JSON.parse(event), context)).then(
    (payload) => ({ ok: true, payload: payload ?? null }),
    (error: Error) => ({
      ok: false,
      error: { errorType: error.name, errorMessage: error.message, trace: [] },
    }),
  );
  process.send?.({ kind: 'answer', outcome, figures: figuresSince(start) });
});

function figuresSince(start: NodeJS.CpuUsage): ProcessFigures {
  const { heapUsed } = process.memoryUsage();
  return {
    cpuMs: cpuMsSince(start),
    awsCalls: aws.calls,
    awsInTurn: aws.inTurn(),
    outbound: outbound.calls,
    outboundInTurn: outbound.inTurn(),
    // Linux reports it in kilobytes.
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
    heapMb: heapUsed / 1_048_576,
  };
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The SDK is pointed at the emulators; everything else is the marketplace, or a receiver. */
function clockOf(request: ClientRequest): CallClock {
  return awsHosts.has(String(request.getHeader('host'))) ? aws : outbound;
}

function fetchIn(message: unknown): object {
  return (message as { request: object }).request;
}

function requestIn(message: unknown): ClientRequest {
  return (message as { request: ClientRequest }).request;
}
