// Lets the running functions finish before the run's time jumps.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLog } from './run-log.ts';
import type { World } from './world.ts';

/**
 * Number of checks in a row without a running function before the system counts as idle. Counted in checks,
 * so that a busy machine, on which a message takes longer, gets more time.
 */
const quietLooks = 6;
const lookEveryMs = 10;
/** Time for a function that starts just before a jump, even on a busy machine. */
const jumpLimitMs = 60_000;

/** Maximum wait; functions that still run are then killed, as by their own timeout. */
export async function runOut(world: World, log: RunLog, limitMs: number): Promise<void> {
  if (await settle(world, limitMs)) return;
  const cut = await world.killAllWorkers();
  log.fault('timeout', `${cut} invocations`);
}

/** Moves the run's time when no function is running. */
export async function jump(world: World, log: RunLog, ms: number): Promise<void> {
  while (!(await world.jump(ms))) await runOut(world, log, jumpLimitMs);
}

/** Waits until no function runs. @returns false when one still ran after `limitMs`. */
export async function settle(world: World, limitMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + limitMs;
  for (let quiet = 0; performance.now() < giveUpAt; ) {
    quiet = (await world.inFlight()) > 0 ? 0 : quiet + 1;
    if (quiet === quietLooks) return true;
    await wait(lookEveryMs);
  }
  return false;
}
