// A part of the run's world: a separate process, on the run's clock, that can be killed at any
// moment and started again with the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reply } from './orders.ts';

const preload = new URL('../clock/preload.ts', import.meta.url).href;
const startLimitMs = 60_000;

/** Thrown for an order to a part that was killed before it answered. */
export class PartGoneError extends Error {
  override readonly name = 'PartGoneError';
}

interface Waiting {
  settle: (answer: unknown) => void;
  fail: (error: Error) => void;
}

export interface PartOptions {
  name: string;
  /** Its program, beside this file. */
  program: string;
  /** The run's clock when it starts. */
  offsetMs: () => number;
  /** The folder of compiled code, which halves the start time. */
  codeFolder: string;
}

export class Part<Facts> {
  readonly name: string;
  readonly #options: PartOptions;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #orders = 0;
  /** Its last error output: usually why it can't start. */
  #said = '';

  constructor(options: PartOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** @throws Error with the part's own reason if it can't start */
  async start(data: object): Promise<Facts> {
    const { offsetMs, codeFolder } = this.#options;
    const program = fileURLToPath(new URL(this.#options.program, import.meta.url));
    const child = spawn(process.execPath, ['--import', preload, program, JSON.stringify(data)], {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: codeFolder,
        FAULTS_CLOCK_OFFSET_MS: String(offsetMs()),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-4_000);
    });
    child.once('exit', () => this.#forget(child));
    return this.#untilReady(child);
  }

  /** @throws PartGoneError when it is not running, or is killed before it answers */
  ask<Answer>(order: string, payload: unknown = null): Promise<Answer> {
    const child = this.#child;
    if (!child) return Promise.reject(new PartGoneError(`${this.name} is not running`));
    this.#orders += 1;
    const id = this.#orders;
    return new Promise((settle, fail) => {
      this.#waiting.set(id, { settle: settle as (answer: unknown) => void, fail });
      child.send({ id, order, payload }, (error) => {
        if (error) fail(new PartGoneError(`${this.name} takes no orders: ${error.message}`));
      });
    });
  }

  /** Kills it without a warning. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  #untilReady(child: ChildProcess): Promise<Facts> {
    return new Promise((settle, reject) => {
      const timer = setTimeout(() => fail('it took too long'), startLimitMs);
      const fail = (reason: string) =>
        reject(new Error(`${this.name} can't start: ${reason}\n${this.#said}`));
      child.once('exit', (code) => fail(`its process ended (${code})`));
      child.on('message', (reply: Reply) => {
        clearTimeout(timer);
        if ('ready' in reply) settle(reply.ready as Facts);
        else if ('failure' in reply) fail(reply.failure);
        else this.#answer(reply);
      });
    });
  }

  #answer(reply: Extract<Reply, { id: number }>): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('answer' in reply) waiting?.settle(reply.answer);
    else waiting?.fail(new Error(`${this.name}: ${reply.error}`));
  }

  #forget(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const { fail } of this.#waiting.values()) {
      fail(new PartGoneError(`${this.name} was killed`));
    }
    this.#waiting.clear();
  }
}
