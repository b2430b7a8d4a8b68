/** What the main thread and a function's thread say to each other. Payloads are JSON text, as on AWS. */

export interface InvokeMessage {
  requestId: string;
  event: string;
  /** Epoch milliseconds at which the function's timeout is up. */
  deadline: number;
}

export interface InvocationError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

export type ThreadMessage =
  /** The bundle is loaded, or has failed to: the first invocation tells which. */
  | { kind: 'loaded' }
  | { kind: 'result'; requestId: string; payload: string }
  | { kind: 'error'; requestId: string; error: InvocationError };

/** What the thread needs to load the function. */
export interface ThreadData {
  bundleUrl: string;
  handlerName: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  logGroupName: string;
}

export type InvocationOutcome =
  | { ok: true; payload: unknown }
  | { ok: false; error: InvocationError };
