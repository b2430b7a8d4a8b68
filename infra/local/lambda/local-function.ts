/**
 * A function that the rest of the local run can invoke. Starts execution environments when needed,
 * up to its concurrency, and reuses them.
 */
import {
  type Environment,
  type ExecutionEnvironmentOptions,
  type StartEnvironment,
  stopped,
} from './execution-environment.ts';
import type { InvocationOutcome } from './messages.ts';

/** AWS keeps idle environments for minutes; this machine has less memory. */
const keptWarmMs = 20_000;

export interface LocalFunctionOptions {
  /** The function's name on the terminal, such as `send-email`. */
  label: string;
  arn: string;
  /** The access key of its calls. */
  accessKeyId: string;
  environment: ExecutionEnvironmentOptions;
  startEnvironment: StartEnvironment;
  /** Concurrent invocations; further ones wait. */
  concurrency: number;
  onFailure: (outcome: Extract<InvocationOutcome, { ok: false }>) => void;
}

export class LocalFunction {
  readonly label: string;
  readonly arn: string;
  readonly accessKeyId: string;
  readonly #options: LocalFunctionOptions;
  /** Warm environments, the last used one at the end, each with the timer that ends it. */
  readonly #idle = new Map<Environment, NodeJS.Timeout>();
  readonly #busy = new Set<Environment>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #stopped = false;

  constructor(options: LocalFunctionOptions) {
    this.label = options.label;
    this.arn = options.arn;
    this.accessKeyId = options.accessKeyId;
    this.#options = options;
  }

  /** Invocations that run or wait. */
  get inFlight(): number {
    return this.#running + this.#waiting.length;
  }

  /** Invokes the function and waits for its outcome, which may be an error or a timeout. */
  async invoke(event: unknown): Promise<InvocationOutcome> {
    await this.#turn();
    try {
      if (this.#stopped) return { ok: false, error: stopped };
      const outcome = await this.#run(JSON.stringify(event));
      if (!outcome.ok && !this.#stopped) this.#options.onFailure(outcome);
      return outcome;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Ends every thread at once and interrupts its invocation, as when a machine is lost. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(
      [...this.#idle.keys(), ...this.#busy].map((environment) => environment.stop()),
    );
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.#options.concurrency) {
      await new Promise<void>((resume) => this.#waiting.push(resume));
    }
    this.#running += 1;
  }

  async #run(event: string): Promise<InvocationOutcome> {
    const { environment: options, startEnvironment } = this.#options;
    const environment = this.#takeIdle() ?? startEnvironment(options);
    this.#busy.add(environment);
    const outcome = await environment.invoke(event);
    this.#busy.delete(environment);
    if (!environment.dead) this.#keepWarm(environment);
    return outcome;
  }

  #keepWarm(environment: Environment): void {
    const timer = setTimeout(() => this.#coolDown(environment), keptWarmMs);
    timer.unref();
    this.#idle.set(environment, timer);
  }

  /** Keep the last environment, so that an idle function answers quickly. */
  #coolDown(environment: Environment): void {
    if (this.#idle.size === 1) return;
    this.#idle.delete(environment);
    void environment.stop();
  }

  #takeIdle(): Environment | undefined {
    for (const [environment, timer] of [...this.#idle].reverse()) {
      clearTimeout(timer);
      this.#idle.delete(environment);
      if (!environment.dead) return environment;
    }
    return undefined;
  }
}
