// Loaded before everything else, in a part's process and in each of its threads: sets the run's time,
// and makes a function's timers faster, so that a timeout costs the run little.
import { isMainThread } from 'node:worker_threads';
import { runNow, setOffset } from './cell.ts';

const { FAULTS_CLOCK_OFFSET_MS, FAULTS_TIMER_RATE } = process.env;
if (isMainThread) setOffset(Number(FAULTS_CLOCK_OFFSET_MS ?? 0));

const machineDate = Date;
machineDate.now = runNow;
globalThis.Date = new Proxy(machineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [runNow()] : args, newTarget),
  apply: (target) => new target(runNow()).toString(),
});

if (FAULTS_TIMER_RATE !== undefined) quickenTimers(Number(FAULTS_TIMER_RATE));

/** Only waits by the global `setTimeout`, which are the timeouts of calls. */
function quickenTimers(rate: number): void {
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, self, [run, waitMs = 0, ...rest]: Parameters<typeof setTimeout>) =>
      Reflect.apply(target, self, [run, Number(waitMs) / rate, ...rest]),
  });
}
