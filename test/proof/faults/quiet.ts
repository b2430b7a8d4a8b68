// Waits, in the run's time, until everything is polled, matched, sent and paid for: finishes the running
// work, then jumps to the next due time.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunClock } from './clock/run-clock.ts';
import type { OddThings } from './damage.ts';
import type { OpenTables } from './product.ts';
import type { RunLog } from './run-log.ts';
import { jump, runOut } from './run-out.ts';
import { readRecords } from './scenario/marketplace-records.ts';
import { readStanding, type Standing } from './standing.ts';
import type { World } from './world.ts';

export interface Quiet {
  world: World;
  tables: OpenTables;
  odd: OddThings;
  log: RunLog;
  clock: RunClock;
  /** Whether anything of the odd owner is damaged: then the run does not wait for this owner's things. */
  isDamaged?: boolean;
  /** Whether alerts that wait for their owner's hours stay waiting. */
  leavesHeld?: boolean;
  /** Also waits for the hourly comparison of the ledgers. */
  settlesAccount?: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Work that this many dispatches don't finish waits for reconcile, or is damaged. */
const quickSteps = 3;
const reconcileMs = 5 * minuteMs;
/** Time for running work, in machine milliseconds, even on a busy machine. */
const settleMs = 180_000;
/** Machine milliseconds. */
const handOverMs = 500;
/** The retries of a delivery take three days; no run needs this many steps. */
const mostSteps = 600;

/** @throws Error that names the remaining work, when it does not come to rest */
export async function untilQuiet(quiet: Quiet): Promise<void> {
  const { world, log, clock } = quiet;
  let standing: Standing | undefined;
  for (let step = 0; step < mostSteps; step += 1) {
    await runOut(world, log, settleMs);
    const { marketAheadMs } = world;
    const awaited = { ...quiet, now: clock.now(), newest: newestIn(quiet), marketAheadMs };
    const { edits: before = 0 } = standing ?? {};
    standing = await readStanding(quiet.tables, awaited);
    // Only the queue knows a run of edits that is due: it gets time to hand the run over.
    if (before > 0 && standing.edits === 0) {
      await wait(handOverMs);
      continue;
    }
    if (standing.lagging + standing.unfinished + standing.edits === 0) {
      if (quiet.settlesAccount) await settleAccount(quiet);
      return;
    }
    log.note(`waits for ${JSON.stringify(standing)}`);
    const untilDueMs = (standing.nextDueAt ?? 0) - clock.now();
    await jump(world, log, Math.max(untilDueMs, step < quickSteps ? minuteMs : reconcileMs));
  }
  throw new Error(`The run does not come to rest: ${JSON.stringify(standing)}`);
}

function newestIn({ world, odd, isDamaged }: Quiet): Map<number, number> {
  const { snapshots } = readRecords(world.marketplaceFile);
  const awaited = [...snapshots].filter(([eventId]) => !(isDamaged && eventId === odd.eventId));
  return new Map(
    awaited.map(([eventId, held]) => [eventId, Date.parse(held.at(-1)?.timestamp ?? '')]),
  );
}

/**
 * The next comparison of both ledgers is at most an hour away. A call whose answer is lost after it counts
 * as charged until the comparison after that.
 */
async function settleAccount({ world, tables, log, clock }: Quiet): Promise<void> {
  const { marketState, pulls } = tables.stores;
  const since = clock.now();
  await jump(world, log, hourMs);
  for (let step = 0; step < mostSteps; step += 1) {
    await runOut(world, log, settleMs);
    const { accountReadAt = 0 } = await marketState.read();
    const days = [clock.now(), clock.now() - dayMs].map(isoDay);
    const rows = (await Promise.all(days.map((day) => pulls.ofDay(day)))).flat();
    const isOpen = rows.some((row) => row.state === 'unsettled' && row.pulledAt >= accountReadAt);
    if (accountReadAt > since && !isOpen) return;
    await jump(world, log, 5 * minuteMs);
  }
  throw new Error('The ledgers were never compared.');
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
