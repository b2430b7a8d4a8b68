/**
 * Runs inside the worker thread: loads one function's bundle and handles invocations one at a time,
 * as the Lambda runtime does. Shares only messages with the main thread; has the function's own
 * environment.
 */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { InvocationError, InvokeMessage, ThreadData, ThreadMessage } from './messages.ts';

const data: ThreadData = workerData;
const port = parentPort;
if (!port) throw new Error('This module runs in a worker thread only.');

if (data.codeFolder !== undefined) enableCompileCache(data.codeFolder);
const loading = loadHandler();
// A failed load is reported at the first invocation; until then it must not end the thread.
const loaded: ThreadMessage = { kind: 'loaded' };
loading.then(
  () => port.postMessage(loaded),
  () => port.postMessage(loaded),
);

port.on('message', async (message: InvokeMessage) => {
  port.postMessage(await answer(message));
});

async function loadHandler(): Promise<(event: unknown, context: unknown) => unknown> {
  const bundle = await import(data.bundleUrl);
  const handler = bundle[data.handlerName];
  if (typeof handler !== 'function') {
    throw new TypeError(`${data.bundleUrl} exports no function ${data.handlerName}`);
  }
  return handler;
}

async function answer({ requestId, event, deadline }: InvokeMessage): Promise<ThreadMessage> {
  try {
    const handler = await loading;
    const result = await handler(JSON.parse(event), contextFor(requestId, deadline));
    return { kind: 'result', requestId, payload: JSON.stringify(result ?? null) };
  } catch (thrown) {
    return { kind: 'error', requestId, error: describe(thrown) };
  }
}

function contextFor(awsRequestId: string, deadline: number) {
  return {
    awsRequestId,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: String(data.memoryMb),
    logGroupName: data.logGroupName,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

function describe(thrown: unknown): InvocationError {
  if (!(thrown instanceof Error)) {
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  }
  return {
    errorType: thrown.name,
    errorMessage: thrown.message,
    trace: thrown.stack?.split('\n') ?? [],
  };
}
