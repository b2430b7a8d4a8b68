// A job as the store keeps it, and as the API shows it.
import type { EventAddJobJson, JobStatus } from '#shared/marketplace/contract.ts';
import { toIso } from './clock.ts';

export interface JobRow {
  id: string;
  search_query: string;
  status: JobStatus;
  message: string;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  events_added: number;
  events_updated: number;
  error: string | null;
}

/** From a day after its submission a job's record is reported as expired. */
const expiryMs = 24 * 60 * 60 * 1000;

/** @param now by the real clock, epoch milliseconds. */
export function toJob(row: JobRow, now: number): EventAddJobJson {
  const at = (instant: number | null) => (instant === null ? null : toIso(instant));
  return {
    job_id: row.id,
    status: row.status,
    message: row.message,
    created_at: toIso(row.created_at),
    started_at: at(row.started_at),
    completed_at: at(row.completed_at),
    search_query: row.search_query,
    events_added: row.events_added,
    events_updated: row.events_updated,
    error: row.error,
    response_time_ms:
      row.completed_at === null ? null : row.completed_at - (row.started_at ?? row.created_at),
    expired: now - row.created_at >= expiryMs,
  };
}
