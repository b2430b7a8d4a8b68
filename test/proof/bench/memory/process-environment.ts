/** An execution environment of the local run that is a measured process instead of a thread. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type {
  Environment,
  ExecutionEnvironmentOptions,
} from '#infra/local/lambda/execution-environment.ts';
import type { InvocationOutcome } from '#infra/local/lambda/messages.ts';
import type { ProcessFigures } from './figures.ts';

export interface Invocation extends ProcessFigures {
  /** Number of messages in the batch; 1 for other events. */
  units: number;
}

/** Called with the resources of each process and each invocation. */
export interface Recorder {
  loaded(functionName: string, initCpuMs: number): void;
  invoked(functionName: string, invocation: Invocation): void;
}

type Said =
  | { kind: 'loaded'; initCpuMs: number }
  | { kind: 'answer'; outcome: InvocationOutcome; figures: ProcessFigures };

export class ProcessEnvironment implements Environment {
  readonly #options: ExecutionEnvironmentOptions;
  readonly #recorder: Recorder;
  readonly #child: ChildProcess;
  readonly #loaded = Promise.withResolvers<void>();
  #settle: ((said: Extract<Said, { kind: 'answer' }>) => void) | undefined;

  /** @param script the bundled function-process.ts */
  constructor(script: string, options: ExecutionEnvironmentOptions, recorder: Recorder) {
    this.#options = options;
    this.#recorder = recorder;
    this.#child = fork(script, {
      env: { ...options.environment, BENCH_FUNCTION: JSON.stringify(options.data) },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) options.onLogLine(line);
    });
    this.#child.on('message', (said: Said) => this.#hear(said));
  }

  get dead(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async invoke(event: string): Promise<InvocationOutcome> {
    await this.#loaded.promise;
    const answered = new Promise<Extract<Said, { kind: 'answer' }>>((settle) => {
      this.#settle = settle;
    });
    const deadline = Date.now() + this.#options.timeoutMs;
    this.#child.send({ requestId: randomUUID(), event, deadline });
    const { outcome, figures } = await answered;
    const { Records } = JSON.parse(event) as { Records?: unknown[] };
    const units = Records?.length ?? 1;
    this.#recorder.invoked(this.#options.data.functionName, { ...figures, units });
    return outcome;
  }

  async stop(): Promise<void> {
    if (this.dead) return;
    const gone = new Promise((resume) => this.#child.once('exit', resume));
    this.#child.kill('SIGKILL');
    await gone;
  }

  #hear(said: Said): void {
    if (said.kind === 'answer') {
      this.#settle?.(said);
      return;
    }
    this.#recorder.loaded(this.#options.data.functionName, said.initCpuMs);
    this.#loaded.resolve();
  }
}
