/**
 * One execution environment of a function: a worker thread with only its bundle and its environment
 * variables. Runs one invocation at a time and is discarded after a timeout or a crash.
 */
import { randomUUID } from 'node:crypto';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { InvocationError, InvocationOutcome, ThreadData, ThreadMessage } from './messages.ts';

/** Lambda's time limit for the initialization of a function. */
const loadingMs = 10_000;

/** The folder of compiled code that this process uses, for its threads. */
function folderOfCode(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : dirname(folder);
}

/** The outcome of an invocation that the end of the run interrupts. */
export const stopped: InvocationError = {
  errorType: 'Stopping',
  errorMessage: 'The local run is stopping',
  trace: [],
};

/** Runs invocations of a function, one at a time. */
export interface Environment {
  /** Whether it has ended and accepts no further invocation. */
  readonly dead: boolean;
  invoke(event: string): Promise<InvocationOutcome>;
  stop(): Promise<void>;
}

/** Starts an environment; the local run uses threads. */
export type StartEnvironment = (options: ExecutionEnvironmentOptions) => Environment;

export interface ExecutionEnvironmentOptions {
  data: ThreadData;
  environment: Record<string, string>;
  timeoutMs: number;
  onLogLine: (line: string) => void;
}

export class ExecutionEnvironment implements Environment {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #settle: ((outcome: InvocationOutcome) => void) | undefined;
  readonly #loaded = Promise.withResolvers<void>();
  #death: InvocationError | undefined;

  constructor({ data, environment, timeoutMs, onLogLine }: ExecutionEnvironmentOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = new Worker(new URL('./function-thread.ts', import.meta.url), {
      name: data.functionName,
      workerData: { ...data, codeFolder: folderOfCode() } satisfies ThreadData,
      env: environment,
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: data.memoryMb },
    });
    for (const output of [this.#worker.stdout, this.#worker.stderr]) eachLine(output, onLogLine);
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message));
    this.#worker.on('error', (error) =>
      this.#crash({
        errorType: error.name,
        errorMessage: error.message,
        trace: error.stack?.split('\n') ?? [],
      }),
    );
    this.#worker.on('exit', (exitCode) =>
      this.#crash({
        errorType: 'Runtime.ExitError',
        errorMessage: `Runtime exited with status ${exitCode}`,
        trace: [],
      }),
    );
  }

  get dead(): boolean {
    return this.#death !== undefined;
  }

  /**
   * Runs one invocation; after the function's timeout, ends the thread. As on AWS, loading the
   * bundle has its own time limit and doesn't count towards the timeout.
   */
  async invoke(event: string): Promise<InvocationOutcome> {
    const loading = setTimeout(() => this.#loaded.resolve(), loadingMs);
    await this.#loaded.promise;
    clearTimeout(loading);
    if (this.#death) return { ok: false, error: this.#death };
    const outcome = new Promise<InvocationOutcome>((settle) => {
      this.#settle = settle;
    });
    const timer = setTimeout(() => this.#timeOut(), this.#timeoutMs);
    this.#worker.postMessage({
      requestId: randomUUID(),
      event,
      deadline: Date.now() + this.#timeoutMs,
    });
    return outcome.finally(() => clearTimeout(timer));
  }

  async stop(): Promise<void> {
    this.#crash(stopped);
    await this.#worker.terminate();
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === 'loaded') {
      this.#loaded.resolve();
      return;
    }
    this.#settle?.(
      message.kind === 'result'
        ? { ok: true, payload: JSON.parse(message.payload) }
        : { ok: false, error: message.error },
    );
  }

  #timeOut(): void {
    this.#crash({
      errorType: 'Sandbox.Timedout',
      errorMessage: `Task timed out after ${(this.#timeoutMs / 1000).toFixed(2)} seconds`,
      trace: [],
    });
    void this.#worker.terminate();
  }

  #crash(error: InvocationError): void {
    this.#death ??= error;
    this.#loaded.resolve();
    this.#settle?.({ ok: false, error });
  }
}

function eachLine(output: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') onLine(line);
  });
}
