/**
 * Event-add jobs: pending, processing, then completed, failed or timeout. Kept in the store, so
 * they survive a restart. The given `discover` finds the events.
 */
import { randomUUID } from 'node:crypto';
import {
  type EventAddJobJson,
  JOB_TIMEOUT_SECONDS,
  MAX_SIMULTANEOUS_JOBS,
} from '#shared/marketplace/contract.ts';
import type { Clocks } from './clock.ts';
import type { Ingest } from './ingest/ingest.ts';
import type { EventObservation } from './ingest/observations.ts';
import { type JobRow, toJob } from './job-row.ts';
import type { RateLimitState } from './rate-limits.ts';
import { searchEvents } from './search.ts';
import type { Store } from './store/store.ts';

/** Looks for events outside the catalog; rejects when the search fails. */
export type Discover = (query: string, signal: AbortSignal) => Promise<EventObservation[]>;

export type Submission =
  | { taken: true; jobId: string; activeJobs: number }
  | { taken: false; activeJobs: number };

export interface Jobs {
  /** Accepts a job, unless the account has five unfinished ones. */
  submit(accountId: number, query: string): Submission;
  /** The account's own job, or undefined if there is none of that id. */
  read(accountId: number, jobId: string): EventAddJobJson | undefined;
  /** How many more jobs the account may submit, and when the next place is free at the latest. */
  describeCap(accountId: number | undefined, now: number): RateLimitState;
  /** Resolves when no job is waiting or running. */
  idle(): Promise<void>;
  stop(): void;
}

const timeoutMs = JOB_TIMEOUT_SECONDS * 1000;

/** Runs jobs one after another; jobs left unfinished at the last stop run again. */
export function createJobs(o: {
  store: Store;
  clocks: Clocks;
  ingest: Ingest;
  discover: Discover;
}): Jobs {
  const runner = new JobRunner(o);
  runner.resume();
  return runner;
}

class JobRunner implements Jobs {
  readonly #store: Store;
  readonly #clocks: Clocks;
  readonly #ingest: Ingest;
  readonly #discover: Discover;
  #running: { jobId: string; abort: AbortController } | undefined;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(o: { store: Store; clocks: Clocks; ingest: Ingest; discover: Discover }) {
    this.#store = o.store;
    this.#clocks = o.clocks;
    this.#ingest = o.ingest;
    this.#discover = o.discover;
  }

  resume(): void {
    this.#settleTimeouts();
    this.#store.run(
      `UPDATE jobs SET status = 'pending', started_at = NULL WHERE status = 'processing'`,
    );
    const waiting = this.#store.all<{ id: string }>(
      `SELECT id FROM jobs WHERE status = 'pending' ORDER BY created_at, id`,
    );
    for (const { id } of waiting) this.#enqueue(id);
  }

  submit(accountId: number, query: string): Submission {
    this.#settleTimeouts();
    const jobId = randomUUID();
    const submission = this.#store.transaction((): Submission => {
      const activeJobs = this.#countActive(accountId);
      if (activeJobs >= MAX_SIMULTANEOUS_JOBS) return { taken: false, activeJobs };
      this.#store.run(
        `INSERT INTO jobs (id, account_id, search_query, status, message, created_at)
         VALUES (?, ?, ?, 'pending', 'Waiting to start', ?)`,
        jobId,
        accountId,
        query,
        this.#clocks.real(),
      );
      return { taken: true, jobId, activeJobs: activeJobs + 1 };
    });
    if (submission.taken) this.#enqueue(jobId);
    return submission;
  }

  read(accountId: number, jobId: string): EventAddJobJson | undefined {
    this.#settleTimeouts();
    const row = this.#store.get<JobRow>(
      'SELECT * FROM jobs WHERE id = ? AND account_id = ?',
      jobId,
      accountId,
    );
    return row && toJob(row, this.#clocks.real());
  }

  /** The running job ends by its timeout at the latest, which makes a place free. */
  describeCap(accountId: number | undefined, now: number): RateLimitState {
    const active = accountId === undefined ? 0 : this.#countActive(accountId);
    const running = this.#store.get<{ since: number | null }>(
      `SELECT min(started_at) AS since FROM jobs WHERE status = 'processing'`,
    );
    const endsInMs = Math.max(1, (running?.since ?? now) + timeoutMs - now);
    return {
      limit: MAX_SIMULTANEOUS_JOBS,
      remaining: MAX_SIMULTANEOUS_JOBS - active,
      resetSeconds: active === 0 ? 0 : Math.ceil(endsInMs / 1000),
    };
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  stop(): void {
    this.#stopped = true;
    this.#running?.abort.abort();
  }

  #countActive(accountId: number): number {
    return this.#store.count(
      `SELECT count(*) AS tally FROM jobs
       WHERE account_id = ? AND status IN ('pending', 'processing')`,
      accountId,
    );
  }

  #enqueue(jobId: string): void {
    this.#work = this.#work.then(() => this.#run(jobId));
  }

  async #run(jobId: string): Promise<void> {
    // Answer the submit before the job leaves `pending`.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#stopped) return;
    const query = this.#start(jobId);
    if (query === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => this.#settleTimeouts(), timeoutMs + 1);
    timer.unref();
    this.#running = { jobId, abort };
    try {
      const found = await orAborted(this.#discover(query, abort.signal), abort.signal);
      this.#complete(jobId, query, found);
    } catch (error) {
      if (!this.#stopped) this.#fail(jobId, error);
    } finally {
      clearTimeout(timer);
      this.#running = undefined;
    }
  }

  #start(jobId: string): string | undefined {
    const { changes } = this.#store.run(
      `UPDATE jobs SET status = 'processing', started_at = ?, message = 'Searching for events'
       WHERE id = ? AND status = 'pending'`,
      this.#clocks.real(),
      jobId,
    );
    if (changes === 0) return undefined;
    const job = this.#store.get<JobRow>('SELECT * FROM jobs WHERE id = ?', jobId);
    return job?.search_query;
  }

  #complete(jobId: string, query: string, found: EventObservation[]): void {
    this.#store.transaction(() => {
      const summary = this.#ingest.accept({ events: found });
      const updated = summary.eventsUpdated + this.#countPresent(query, found);
      const added = summary.eventsAdded;
      this.#store.run(
        `UPDATE jobs SET status = 'completed', completed_at = ?, events_added = ?,
           events_updated = ?, message = ? WHERE id = ? AND status = 'processing'`,
        this.#clocks.real(),
        added,
        updated,
        added + updated === 0 ? 'No events found' : `Added ${added}, updated ${updated} events`,
        jobId,
      );
    });
  }

  #countPresent(query: string, found: EventObservation[]): number {
    const ids = new Set(found.map((event) => event.event_id));
    const present = searchEvents(this.#store, {
      filter: { event_name: query },
      span: 'future',
      now: this.#clocks.market(),
      limit: 1000,
    });
    return present.filter((event) => !ids.has(event.id)).length;
  }

  #fail(jobId: string, error: unknown): void {
    this.#store.run(
      `UPDATE jobs SET status = 'failed', completed_at = ?, message = 'The search failed', error = ?
       WHERE id = ? AND status = 'processing'`,
      this.#clocks.real(),
      error instanceof Error ? error.message : String(error),
      jobId,
    );
  }

  #settleTimeouts(): void {
    const now = this.#clocks.real();
    this.#store.run(
      `UPDATE jobs SET status = 'timeout', completed_at = started_at + ${timeoutMs},
         message = 'The search took longer than 3 minutes',
         error = 'timed out after 3 minutes'
       WHERE status = 'processing' AND started_at < ?`,
      now - timeoutMs,
    );
    const running = this.#running;
    if (!running) return;
    const job = this.#store.get<JobRow>('SELECT * FROM jobs WHERE id = ?', running.jobId);
    if (job?.status === 'timeout') running.abort.abort();
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the search was given up')));
  });
  return Promise.race([work, aborted]);
}
