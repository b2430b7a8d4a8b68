/**
 * The messages between the main thread and a function's thread. Payloads are JSON text, as on AWS.
 */

export interface InvokeMessage {
  requestId: string;
  event: string;
  /** Epoch milliseconds of the function's timeout. */
  deadline: number;
}

export interface InvocationError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

export type ThreadMessage =
  /** The bundle is loaded or failed to load: the first invocation tells which. */
  | { kind: 'loaded' }
  | { kind: 'result'; requestId: string; payload: string }
  | { kind: 'error'; requestId: string; error: InvocationError };

/** The data that the thread needs to load the function. */
export interface ThreadData {
  bundleUrl: string;
  handlerName: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
  logGroupName: string;
  /** Where compiled code is kept; undefined if nowhere. */
  codeFolder?: string | undefined;
}

export type InvocationOutcome =
  | { ok: true; payload: unknown }
  | { ok: false; error: InvocationError };
