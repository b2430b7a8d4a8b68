// The import of a large file: each lot is compared with the owner's watches and carried out as a small file is.
import {
  addCost,
  createForecastFile,
  type FileFeed,
  feedName,
  fileCostSchema,
} from '#functions/api/watches/forecast-file.ts';
import { createReadForecast } from '#functions/api/watches/forecast-watch.ts';
import {
  createImportWatchlist,
  type ImportLot,
  type PlanLot,
} from '#functions/api/watches/import-watchlist.ts';
import type { RowOutcome } from '#functions/api/watches/row-outcome.ts';
import { openRows, type StoredRow } from '#functions/api/watches/stored-rows.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { isChangedBy } from '#shared/watchlist/changed-by.ts';
import { countRows, type Job, type JobProgress } from '#shared/watchlist/job.ts';
import type { JobDeps, OpenJob } from '../job-kind.ts';

/** Lots whose feeds are read together. */
const lotsAtOnce = 25;

/** The option `by` says who asked. With `dry_run`, the job says what each row would do and what all would cost. */
export function openImport(deps: JobDeps): OpenJob {
  const openFile = createImportWatchlist(deps);
  const dryRun = createDryRun(deps);

  return function open({ ownerId, options }) {
    let opened: Promise<PlanLot> | undefined;
    const carryOut = options.dry_run === true ? dryRun() : createRealRun(deps);

    return async function carryOutLot(job, now) {
      const { jobId, lots: lot } = job;
      const { jobs } = deps.stores;
      const stored = (await jobs.readRows({ jobId, part: 'input', lot })) ?? [];
      const { rows, outcomes: known } = openRows(stored as StoredRow[]);
      opened ??= openFile(ownerId);
      const planned = await (await opened)(rows, now);
      const { outcomes, ...also } = await carryOut(planned, job, now);
      const results = [...outcomes, ...known].sort((a, b) => a.line - b.line);
      await jobs.putRows({ jobId, part: 'result', lot }, results, job);
      return {
        ...{ done: results.length, counts: countRows(results), ...also },
        isFinished: lot + 1 >= job.inputLots,
      };
    };
  };
}

/** What is done with the rows of a lot. */
type Run = (
  planned: ImportLot,
  job: Job,
  now: number,
) => Promise<{ outcomes: RowOutcome[] } & Pick<JobProgress, 'summary'>>;

/**
 * Makes and changes the watches. The lines of changed watches are stored before: a repeat after a crash finds these
 * watches unchanged, and reports what the first try did.
 */
function createRealRun({ stores: { jobs } }: JobDeps): Run {
  let isFirstLot = true;
  return async function carryOut(planned, job, now) {
    const { jobId, lots: lot } = job;
    const place = { jobId, part: 'plan', lot } as const;
    // Only the first lot of a run can be a repeat.
    const before = isFirstLot ? ((await jobs.readRows(place)) ?? []) : [];
    isFirstLot = false;
    const changing = planned.steps.filter(({ kind }) => kind === 'update');
    const changed = new Set([...(before as number[]), ...changing.map(({ line }) => line)]);
    if (changing.length > 0) await jobs.putRows(place, [...changed], job);
    const by = isChangedBy(job.options.by) ? job.options.by : ({ way: 'import' } as const);
    const done = await planned.carryOut({ seed: jobId, by, now, hasTime: () => true });
    const isChanged = ({ outcome, line }: RowOutcome) =>
      outcome === 'unchanged' && changed.has(line);
    return {
      outcomes: done.map((each) => (isChanged(each) ? { ...each, outcome: 'updated' } : each)),
    };
  };
}

/** Says what the rows would do and cost. The feeds of each lot are stored, so that a later lot doesn't count them again. */
function createDryRun(deps: JobDeps): () => Run {
  const forecastLot = createForecastFile(createReadForecast(deps));
  const { jobs } = deps.stores;

  return () => {
    let asked: Map<string, number> | undefined;
    return async function foretell(planned, job, now) {
      const { jobId, lots: lot } = job;
      asked ??= await askedBefore(job);
      const cost = await forecastLot(planned.wantedFeeds(), asked, now);
      await jobs.putRows({ jobId, part: 'plan', lot }, cost.feeds, job);
      const isNew = (eventId: number) =>
        !cost.feeds.some((feed) => feed.eventId === eventId && asked?.has(feedName(feed)));
      const undated = cost.undated.filter(isNew).length;
      for (const feed of cost.feeds) note(asked, feed);
      const before = fileCostSchema.safeParse(job.summary?.cost).data;
      const total = addCost(before, cost, undated);
      const outcomes = planned.foretell(job.counts.would_be_created);
      return { outcomes, summary: { cost: total } };
    };
  };

  /** The feeds of the lots before. */
  async function askedBefore({ jobId, lots }: Job): Promise<Map<string, number>> {
    const asked = new Map<string, number>();
    const numbers = Array.from({ length: lots }, (_, lot) => lot);
    const found = await inLots(numbers, lotsAtOnce, (lot) =>
      jobs.readRows({ jobId, part: 'plan', lot }),
    );
    for (const feed of found.flatMap((rows) => rows ?? [])) note(asked, feed as FileFeed);
    return asked;
  }
}

function note(asked: Map<string, number>, feed: FileFeed): void {
  const name = feedName(feed);
  asked.set(name, Math.min(asked.get(name) ?? feed.latencySeconds, feed.latencySeconds));
}
