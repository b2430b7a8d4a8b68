// Runs the contention suite of a store against a changed text of it: first of all tests, because it is
// the nearest to a conditional write and needs no start-up.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MeetingRequest } from './meeting-worker.ts';
import type { Change, Verdict } from './test-runner.ts';

export interface MeetingRunner {
  /** @returns `passed` too where the store has no suite. */
  run(path: string, change: Change | undefined): Promise<Verdict>;
  close(): Promise<void>;
}

/** A suite is late after this many times the duration of its unchanged run, and not before `leastMs`. */
const lateTimes = 5;
const leastMs = 20_000;
const firstMs = 300_000;

export function openMeetingRunner(root: string): MeetingRunner {
  const usualMs = new Map<string, number>();
  let worker: Worker | undefined;

  async function ask(request: MeetingRequest, limitMs: number): Promise<Verdict> {
    worker ??= new Worker(new URL('./meeting-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const verdict = await answerOf(worker, request, limitMs);
    if (verdict !== 'late') return verdict;
    await worker.terminate();
    worker = undefined;
    return verdict;
  }

  return {
    async run(path, change) {
      const test = suiteOf(root, path);
      if (!test) return 'passed';
      const usual = usualMs.get(test);
      const begunAt = performance.now();
      const limitMs = usual === undefined ? firstMs : Math.max(leastMs, lateTimes * usual);
      const verdict = await ask({ test, change }, limitMs);
      if (!change) usualMs.set(test, performance.now() - begunAt);
      return verdict;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

/** Files that a store consists of besides its own, which its suite covers. */
const partOf = new Map([['feed-polls', 'feeds']]);

function suiteOf(root: string, path: string): string | undefined {
  const name = basename(path, '.ts');
  const test = join(root, 'test/shared/dynamo/contention', partOf.get(name) ?? name);
  const isStore = path.startsWith(join(root, 'shared/dynamo/'));
  return isStore && existsSync(`${test}.test.ts`) ? `${test}.test.ts` : undefined;
}

function answerOf(worker: Worker, request: MeetingRequest, limitMs: number): Promise<Verdict> {
  return new Promise((resolve) => {
    const end = (verdict: Verdict) => {
      clearTimeout(timer);
      worker.removeListener('message', onAnswer).removeListener('error', onEnd);
      resolve(verdict);
    };
    const onAnswer = (failure: unknown) => {
      if (failure !== undefined && !request.change) console.error(failure);
      end(failure === undefined ? 'passed' : 'failed');
    };
    // A thread that ended can't be asked again.
    const onEnd = () => end('late');
    const timer = setTimeout(onEnd, limitMs);
    worker.on('message', onAnswer).on('error', onEnd);
    worker.postMessage(request);
  });
}
