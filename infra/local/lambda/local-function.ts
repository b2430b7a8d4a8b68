/**
 * A function as the rest of the local run sees it: something to invoke. It keeps as many
 * execution environments as its concurrency allows, started when needed and reused.
 */
import {
  type Environment,
  type ExecutionEnvironmentOptions,
  type StartEnvironment,
  stopped,
} from './execution-environment.ts';
import type { InvocationOutcome } from './messages.ts';

/** AWS keeps idle environments for minutes; this machine's memory is smaller. */
const keptWarmMs = 20_000;

export interface LocalFunctionOptions {
  /** How the function is called on the terminal, such as `send-email`. */
  label: string;
  arn: string;
  /** Signs the calls that are made in its name. */
  accessKeyId: string;
  environment: ExecutionEnvironmentOptions;
  startEnvironment: StartEnvironment;
  /** Invocations at once; further ones wait their turn. */
  concurrency: number;
  onFailure: (outcome: Extract<InvocationOutcome, { ok: false }>) => void;
}

export class LocalFunction {
  readonly label: string;
  readonly arn: string;
  readonly accessKeyId: string;
  readonly #options: LocalFunctionOptions;
  /** Warm environments, the one used last at the end, each with the timer that ends it. */
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

  /** Invocations that run or wait for their turn. */
  get inFlight(): number {
    return this.#running + this.#waiting.length;
  }

  /** Invokes the function and waits for its answer, errors and timeouts included. */
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

  /** Ends every thread at once; what ran is cut off, as when a machine goes. */
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

  /** The last one stays, so that a quiet function answers at once. */
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
