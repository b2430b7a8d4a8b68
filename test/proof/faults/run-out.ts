// Lets the functions that run come to their end, before the run's time jumps past it.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLog } from './run-log.ts';
import type { World } from './world.ts';

/**
 * Looks in a row that find no function running: what was under way has come to rest. Counted in looks,
 * so that a busy machine, on which a message takes longer to its queue's end, is given longer.
 */
const quietLooks = 6;
const lookEveryMs = 10;
/** What begins just before a jump has so long, on however busy a machine. */
const jumpLimitMs = 60_000;

/** Waits for so long at the most; what still runs then is cut off, as by its own timeout. */
export async function runOut(world: World, log: RunLog, limitMs: number): Promise<void> {
  if (await settle(world, limitMs)) return;
  const cut = await world.killAllWorkers();
  log.fault('timeout', `${cut} invocations`);
}

/** Moves the run's time on, once nothing runs that would see it leap. */
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
