/**
 * A function as the rest of the local run sees it: something to invoke. It keeps as many
 * execution environments as its concurrency allows, started when needed and reused.
 */
import { ExecutionEnvironment, type ExecutionEnvironmentOptions } from './execution-environment.ts';
import type { InvocationOutcome } from './messages.ts';

export interface LocalFunctionOptions {
  /** How the function is called on the terminal, such as `send-email`. */
  label: string;
  arn: string;
  environment: ExecutionEnvironmentOptions;
  /** Invocations at once; further ones wait their turn. */
  concurrency: number;
  onFailure: (outcome: Extract<InvocationOutcome, { ok: false }>) => void;
}

export class LocalFunction {
  readonly label: string;
  readonly arn: string;
  readonly #options: LocalFunctionOptions;
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #busy = new Set<ExecutionEnvironment>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #stopped = false;

  constructor(options: LocalFunctionOptions) {
    this.label = options.label;
    this.arn = options.arn;
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
      if (this.#stopped) return stopping;
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
    await Promise.all([...this.#idle, ...this.#busy].map((environment) => environment.stop()));
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.#options.concurrency) {
      await new Promise<void>((resume) => this.#waiting.push(resume));
    }
    this.#running += 1;
  }

  async #run(event: string): Promise<InvocationOutcome> {
    const environment = this.#takeIdle() ?? new ExecutionEnvironment(this.#options.environment);
    this.#busy.add(environment);
    const outcome = await environment.invoke(event);
    this.#busy.delete(environment);
    if (!environment.dead) this.#idle.push(environment);
    return outcome;
  }

  #takeIdle(): ExecutionEnvironment | undefined {
    let environment = this.#idle.pop();
    while (environment?.dead) environment = this.#idle.pop();
    return environment;
  }
}

const stopping: InvocationOutcome = {
  ok: false,
  error: { errorType: 'Stopping', errorMessage: 'The local run is stopping', trace: [] },
};
