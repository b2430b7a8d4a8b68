// The checks of a large file that need nothing but the file and the owner's channels, before its job begins. All others
// are made by the job, row by row.
import type { Channel } from '#shared/delivery/channel.ts';
import { defaultsFor, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import { newWatchSchema } from '#shared/watchlist/watch-request.ts';
import { type Fault, faultsIn } from '../faults.ts';
import { resetsOf, rowChangeSchema } from './change-of-row.ts';
import { watchFaults } from './check-watch.ts';
import { questionAskedBy } from './claim-question.ts';
import type { FileFault, FileRow } from './watchlist-file.ts';

interface CheckDeps {
  ownerId: string;
  channels: readonly Channel[];
  defaults: OwnerDefaults;
  /** Epoch milliseconds. */
  now: number;
}

/** Stands for the event of a row that names it by name and date, which is looked for later. */
const laterEvent = 1;

export interface FreeChecks {
  faults: FileFault[];
  /** The first line that asks for the same new watch, by the lines that repeat it. */
  repeats: Map<number, number>;
}

/** @returns the faults of all rows, and the rows that repeat others. */
export async function checkForFree(rows: readonly FileRow[], deps: CheckDeps): Promise<FreeChecks> {
  const byId = new Map(deps.channels.map((channel) => [channel.channelId, channel]));
  const channels = { find: async (channelId: string) => byId.get(channelId) };
  const first = new Map<string, number>();
  const checks: FreeChecks = { faults: [], repeats: new Map() };
  for (const row of rows) {
    const { line, place } = row;
    const found = row.id === undefined ? await checkNew(row) : checkChange(row);
    if (typeof found === 'string') {
      const before = first.get(found);
      if (before === undefined) first.set(found, line);
      else checks.repeats.set(line, before);
      continue;
    }
    const own = found.map((fault) => ({ ...fault, line, pointer: place(fault.pointer) }));
    checks.faults.push(...own);
  }
  return checks;

  /** @returns the question of the row, or its faults. */
  async function checkNew({ fields, event }: FileRow): Promise<string | Fault[]> {
    const input = { ...fields, ...(event && { event_id: laterEvent }) };
    const parsed = newWatchSchema.safeParse(input);
    if (!parsed.success) {
      return faultsIn(parsed.error, { schema: newWatchSchema, input });
    }
    const { data } = parsed;
    const { rules, fallback_channel: fallbackId } = data;
    const channelIds = data.channels ?? defaultsFor(deps.defaults, data.tags ?? []).channelIds;
    const checked = { channelIds, fallbackId, rules, zones: undefined };
    const faults = await watchFaults(channels, deps.ownerId, checked, deps.now);
    return faults.length > 0 ? faults : JSON.stringify([questionAskedBy(data), event]);
  }
}

/** Whether the watch of the id is the owner's is found later: if not, the row asks for a new watch. */
function checkChange(row: FileRow): Fault[] {
  const { event_id: _event, ...input } = { ...resetsOf(row), ...row.fields };
  const parsed = rowChangeSchema.safeParse(input);
  return parsed.success ? [] : faultsIn(parsed.error, { schema: rowChangeSchema, input });
}
