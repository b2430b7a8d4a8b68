// Lets the functions that run come to their end, before the run's time jumps past it.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLog } from './run-log.ts';
import type { World } from './world.ts';

/** No function runs for so long: what was under way has come to rest. Machine milliseconds. */
const quietMs = 40;
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
  let quietSince: number | undefined;
  while (performance.now() < giveUpAt) {
    if ((await world.inFlight()) > 0) quietSince = undefined;
    else quietSince ??= performance.now();
    if (quietSince !== undefined && performance.now() - quietSince >= quietMs) return true;
    await wait(lookEveryMs);
  }
  return false;
}
