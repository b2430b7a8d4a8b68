// Runs test files in turn against a changed text of one file, in a thread that stays warm (test-worker.ts).
// Nothing is written to the disk; programs that a test starts use the unchanged files.
import { Worker } from 'node:worker_threads';
import type { TestRequest } from './test-worker.ts';

export interface TestRunner {
  /**
   * Runs tests in sequence until one fails. A test that the change makes many times slower has noticed it:
   * its thread is ended, because an endless loop would never return.
   */
  run(tests: readonly string[], change: Change | undefined): Promise<Ended>;
  close(): Promise<void>;
}

export interface Change {
  path: string;
  text: string;
}

type Verdict = 'passed' | 'failed' | 'late';
/** `test` is the failed one. */
export type Ended = { verdict: 'passed' } | { verdict: 'failed' | 'late'; test: string };

/** A test file is late after this many times the duration of its unchanged run, and not before `leastMs`. */
const lateTimes = 5;
const leastMs = 45_000;
const firstMs = 300_000;
/** Each run loads the project again, and a thread never frees the modules it has loaded. */
const runsPerThread = 60;

export function openTestRunner(): TestRunner {
  /** Duration of each test file without a change. */
  const usualMs = new Map<string, number>();
  let worker: Worker | undefined;
  let runs = 0;

  async function end(): Promise<void> {
    await worker?.terminate();
    worker = undefined;
    runs = 0;
  }

  async function ask(request: TestRequest): Promise<Verdict> {
    if (runs >= runsPerThread) await end();
    runs += 1;
    worker ??= new Worker(new URL('./test-worker.ts', import.meta.url), {
      stdout: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const usual = usualMs.get(request.test);
    const limitMs = usual === undefined ? firstMs : Math.max(leastMs, lateTimes * usual);
    const verdict = await answerOf(worker, request, limitMs);
    if (verdict === 'late') await end();
    return verdict;
  }

  return {
    async run(tests, change) {
      for (const test of tests) {
        const begunAt = performance.now();
        const verdict = await ask({ test, ...(change && { change }) });
        if (verdict !== 'passed') return { verdict, test };
        if (!change) usualMs.set(test, performance.now() - begunAt);
      }
      return { verdict: 'passed' };
    },
    close: end,
  };
}

function answerOf(worker: Worker, request: TestRequest, limitMs: number): Promise<Verdict> {
  return new Promise((resolve) => {
    const end = (verdict: Verdict) => {
      clearTimeout(timer);
      worker.removeListener('message', onAnswer).removeListener('error', onEnd);
      resolve(verdict);
    };
    const onAnswer = (failure: unknown) => {
      if (failure !== undefined && !request.change) console.error(request.test, failure);
      end(failure === undefined ? 'passed' : 'failed');
    };
    // A thread that ended can't be used again.
    const onEnd = () => end('late');
    const timer = setTimeout(onEnd, limitMs);
    worker.on('message', onAnswer).on('error', onEnd);
    worker.postMessage(request);
  });
}
