// The threads of the functions: each on the run's clock and with its calls sent over links; busy
// threads can be killed.
import {
  type Environment,
  ExecutionEnvironment,
  type ExecutionEnvironmentOptions,
} from '#infra/local/lambda/execution-environment.ts';
import type { CloudData } from './cloud.ts';

const preload = new URL('../clock/preload.ts', import.meta.url).href;

export interface WorkersOptions extends Pick<CloudData, 'replacements' | 'rewrites'> {
  labelOf: (functionName: string) => string;
}

export class Workers {
  readonly #options: WorkersOptions;
  /** Threads that run an invocation, each with its function's label. */
  readonly #busy = new Map<ExecutionEnvironment, string>();

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  start(options: ExecutionEnvironmentOptions): Environment {
    const label = this.#options.labelOf(options.data.functionName);
    const environment = this.#adapt(label, options.environment);
    const thread = new ExecutionEnvironment({ ...options, environment });
    return {
      get dead() {
        return thread.dead;
      },
      invoke: async (event) => {
        this.#busy.set(thread, label);
        return thread.invoke(event).finally(() => this.#busy.delete(thread));
      },
      stop: () => thread.stop(),
    };
  }

  /**
   * Kills the busy threads of one function, or of all, during their work.
   *
   * @returns how many there were
   */
  async kill(label?: string): Promise<number> {
    const struck = [...this.#busy].filter(([, of]) => label === undefined || of === label);
    await Promise.all(struck.map(([thread]) => thread.stop()));
    return struck.length;
  }

  #adapt(label: string, environment: Record<string, string>): Record<string, string> {
    const { replacements, rewrites } = this.#options;
    const rewritten = Object.entries(environment).map(([name, value]) => [
      name,
      (rewrites[label] ?? []).reduce((text, [from, to]) => text.replaceAll(from, to), value),
    ]);
    return {
      ...Object.fromEntries(rewritten),
      ...replacements['*'],
      ...replacements[label],
      // Without the product's source maps: a run starts dozens of threads, and no person reads their traces.
      NODE_OPTIONS: `--import ${preload}`,
      // A thread's own first modules are TypeScript, and are stripped of their types once.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    };
  }
}
