/**
 * Runs the sources of observations against a live service: the simulator on its clock and the
 * replay of a recording. Decides when to ingest, not what.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { toDate, toIso } from './clock.ts';
import type { Discover } from './jobs.ts';
import type { Marketplace } from './marketplace.ts';
import { timeLeft } from './progress.ts';
import { planReplay, type ReplayStep, readRecording } from './replay.ts';
import type { OddPlan } from './simulator/oddities.ts';
import { createSimulator } from './simulator/simulator.ts';
import { setSourceStatus } from './source-status.ts';
import { readOrWriteMeta } from './store/meta.ts';
import type { Store } from './store/store.ts';

export interface SourceSummary {
  /** Stats snapshots logged since the start. */
  snapshots: number;
  /** Unreadable lines of a recording. */
  skippedLines: number;
  /**
   * Real time when an event's newest set was ingested, epoch milliseconds by event id; replays
   * only.
   */
  handedInAt?: ReadonlyMap<number, number>;
}

export interface RunningSource {
  discover: Discover;
  summary(): SourceSummary;
  finished: Promise<void>;
  stop(): void;
}

interface Context {
  marketplace: Marketplace;
  /** Market time, epoch milliseconds. */
  now: () => number;
  say: (line: string) => void;
}

/** Thrown when the file has another simulation: use its settings or another file. */
export class SimulationMismatchError extends Error {
  override readonly name = 'SimulationMismatchError';
}

const beatMs = 200;
/** Refreshes ingested before waiting requests are answered. */
const refreshesPerTurn = 8;
const reportEveryMs = 30_000;

/** Time of the newest observation in the file, epoch ms; undefined for a new file. */
export function readResumePoint(store: Store): number | undefined {
  const newest = store.get<{ at: number | null }>('SELECT max(refreshed_at) AS at FROM refreshes');
  return newest?.at ?? undefined;
}

/**
 * Runs the simulator; the refreshes up to now are ingested when this returns.
 * @throws SimulationMismatchError when the file was started with other settings.
 */
export function playSimulator(
  context: Context,
  o: { seed: number; events: number; refreshSeconds?: number; historyDays?: number; odd?: OddPlan },
): RunningSource {
  const { marketplace, now, say } = context;
  const settings = { seed: o.seed, events: o.events, refreshSeconds: o.refreshSeconds };
  const firstDay = holdToSettings(marketplace.store, settings, toDate(now()));
  const simulator = createSimulator(
    marketplace.ingest,
    {
      ...settings,
      firstDay,
      historyDays: o.historyDays,
      odd: o.odd,
      switchVs: (status) => setSourceStatus(marketplace.store, 'vs', status),
    },
    (eventId) => readRefreshedAt(marketplace.store, eventId),
  );
  say(`simulator: preparing ${o.events} events, seed ${o.seed}`);
  let snapshots = simulator.begin(now());
  say(`simulator: ${snapshots} refreshes in, market time ${toIso(now())}`);
  const stopped = new AbortController();
  const finished = beat(stopped.signal, say, () => {
    const done = simulator.advance(now(), refreshesPerTurn);
    snapshots += done;
    return {
      more: done === refreshesPerTurn,
      line: `${snapshots} refreshes, market time ${toIso(now())}`,
    };
  });
  return {
    discover: async (query, signal) => {
      await wait(1500, undefined, { signal });
      return simulator.discover(query, now());
    },
    summary: () => ({ snapshots, skippedLines: 0 }),
    finished,
    stop: () => stopped.abort(),
  };
}

function holdToSettings(store: Store, settings: object, today: string): number {
  const wanted = JSON.stringify(settings);
  const held = readOrWriteMeta(store, 'simulation', () => wanted);
  if (held !== wanted) {
    throw new SimulationMismatchError(
      `the file was made with the simulation ${held}, not ${wanted}; use those settings or another file`,
    );
  }
  return Date.parse(readOrWriteMeta(store, 'simulation_first_day', () => today));
}

function readRefreshedAt(store: Store, eventId: number): number | undefined {
  return store.get<{ at: number }>(
    `SELECT refreshed_at AS at FROM refreshes WHERE event_id = ? AND source = 'sh'`,
    eventId,
  )?.at;
}

/** Runs turns until stopped: immediately while more work is due, otherwise at every beat. */
async function beat(
  signal: AbortSignal,
  say: (line: string) => void,
  turn: () => { more: boolean; line: string },
): Promise<void> {
  let reportAt = performance.now() + reportEveryMs;
  while (!signal.aborted) {
    const { more, line } = turn();
    if (performance.now() >= reportAt) {
      say(`simulator: ${line}`);
      reportAt += reportEveryMs;
    }
    await wait(more ? 0 : beatMs, undefined, { signal }).catch(() => {});
  }
}

/**
 * Replays a recording from now on, at `speed` recorded seconds per real second. Its first day is
 * ingested when this resolves; the other days wait for `begin`.
 * @throws MissingColumnError
 */
export async function playRecording(
  { marketplace, say }: Context,
  o: { file: string; speed: number; begin?: Promise<void> },
): Promise<RunningSource> {
  const recording = await readRecording(o.file);
  for (const { line, why } of recording.skipped) say(`replay: line ${line} skipped: ${why}`);
  const plannedAt = Date.now();
  const replay = planReplay(recording, { start: plannedAt, speed: o.speed });
  marketplace.ingest.accept({ events: replay.events });
  const handedInAt = new Map<number, number>();
  const summary = { snapshots: 0, skippedLines: recording.skipped.length, handedInAt };
  const [first, ...rest] = replay.steps;
  say(
    `replay: ${replay.events.length} events, ${replay.steps.length} days, until ${toIso(replay.endsAt)}`,
  );
  if (first) await handIn(marketplace, first, summary);
  const stopped = new AbortController();
  const finished = playSteps();
  async function playSteps(): Promise<void> {
    await o.begin;
    const beganAt = Date.now();
    const heldMs = o.begin === undefined ? 0 : beganAt - plannedAt;
    for (const [index, step] of rest.entries()) {
      const delayMs = Math.max(0, step.at + heldMs - Date.now());
      await wait(delayMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      await handIn(marketplace, step, summary);
      const progress = { done: index + 1, all: rest.length, tookMs: Date.now() - beganAt };
      say(
        `replay: day ${index + 2} of ${replay.steps.length}, ${summary.snapshots} snapshots${timeLeft(progress)}`,
      );
    }
  }
  return {
    discover: async () => [],
    summary: () => ({ ...summary }),
    finished,
    stop: () => stopped.abort(),
  };
}

/** Ingests one event at a time, so that requests are answered in between. */
async function handIn(
  marketplace: Marketplace,
  step: ReplayStep,
  summary: SourceSummary & { handedInAt: Map<number, number> },
): Promise<void> {
  for (const set of step.sets()) {
    summary.snapshots += marketplace.ingest.accept({ listing_sets: [set] }).snapshots;
    summary.handedInAt.set(set.event_id, Date.now());
    await wait(0);
  }
}
