// Imports a small file within one request.
import { timing } from '#shared/timing.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import type { ApiDeps } from '../api-deps.ts';
import { addCost, createForecastFile } from './forecast-file.ts';
import { createReadForecast } from './forecast-watch.ts';
import type { Imported } from './import-report.ts';
import { createImportWatchlist } from './import-watchlist.ts';
import type { ImportFile } from './read-import-file.ts';
import { refusedRows } from './row-outcome.ts';
import type { FileFault } from './watchlist-file.ts';

/** `seed` is the same in a repeated request; `now` is epoch milliseconds. */
interface ImportAsked {
  ownerId: string;
  isDry: boolean;
  by: ChangedBy;
  seed: string;
  now: number;
}

/** @returns the use case; it answers with the faults of a file that it did not import. */
export function createImportNow(deps: ApiDeps) {
  const openImport = createImportWatchlist(deps);
  const forecastLot = createForecastFile(createReadForecast(deps));

  return async function importNow(
    { rows, faults }: ImportFile,
    { ownerId, isDry, by, seed, now }: ImportAsked,
  ): Promise<Imported | { faults: FileFault[] }> {
    const faulty = new Set(faults.map(({ line }) => line));
    const planLot = await openImport(ownerId);
    const lot = await planLot(rows, now);
    const all = [...faults, ...lot.faults];
    if (all.length > 0 && !(isDry && rows.length > 0)) return { faults: all };
    if (!isDry) {
      // After this long it begins no further rows; they are done when the file is sent again.
      const endsAt = now + timing.importMs;
      const hasTime = () => deps.now() < endsAt;
      return { outcomes: await lot.carryOut({ seed, by, now, hasTime }), cost: null };
    }
    const cost = await forecastLot(lot.wantedFeeds(), new Map(), now);
    const foretold = lot.foretell().filter(({ line }) => !faulty.has(line));
    const refused = refusedRows(all.filter(({ line }) => faulty.has(line)));
    return {
      outcomes: [...foretold, ...refused].sort((a, b) => a.line - b.line),
      cost: addCost(undefined, cost, cost.undated.length),
    };
  };
}
