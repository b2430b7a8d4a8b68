/** What a person asks of `npm run restore`: the flags, validated. */
import { type ProductTable, productTables } from '../../restored-names.ts';
import { OperatorError, readFlags, stageFlag } from '../command.ts';
import { instantOf } from '../instant.ts';
import type { Pin } from '../place.ts';
import { readStageFile } from '../stage-file.ts';

export interface RestoreRequest {
  readonly pin: Pin;
  /** Epoch milliseconds; undefined: back to the tables from before the last restore. */
  readonly at: number | undefined;
  readonly tables: readonly ProductTable[];
  /** Look only. */
  readonly isCheck: boolean;
  readonly isConfirmed: boolean;
}

export const restoreUsage = `npm run restore -- --at TIME [--stage dev|prod] [--tables T] [--check] [--yes]

The tables as they were at TIME, such as 2026-11-30T08:00:00Z, within the last 35 days. First everything
stands still: schedules, queues and the API. DynamoDB then makes new tables from its backups; they are
brought up to date with what was sent, paid and stopped since, and functions, permissions and alarms
follow them. Changes that owners made since TIME are gone; the command names them. The tables from before
stay. Interrupted, the same command goes on where it was. It deploys what is checked out here, so check
out what is deployed.

  --stage S     dev or prod (dev)
  --at TIME     the moment to go back to
  --back        undo: back to the tables from before the last restore
  --tables T    watchlist, snapshots, or both with a comma (both). Prices alone are in snapshots
  --check       look only: says what would happen
  --yes         do it`;

/**
 * @returns `help` when that is asked for
 * @throws OperatorError naming the wrong flag
 */
export function readRestoreRequest(args: readonly string[]): RestoreRequest | 'help' {
  const { values } = readFlags({
    args: [...args],
    options: {
      stage: { type: 'string', default: 'dev' },
      at: { type: 'string' },
      back: { type: 'boolean', default: false },
      tables: { type: 'string', default: productTables.join(',') },
      check: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { at, back } = values;
  if ((at === undefined) === !back) {
    throw new OperatorError('Give --at TIME, or --back to undo the last restore. See --help.');
  }
  const stage = stageFlag(values.stage);
  const { account, region } = readStageFile(stage);
  return {
    pin: { stage, account, region },
    at: at === undefined ? undefined : instantOf('--at', at),
    tables: tablesOf(values.tables),
    isCheck: values.check,
    isConfirmed: values.yes,
  };
}

function tablesOf(given: string): ProductTable[] {
  const named = given.split(',').map((name) => name.trim());
  const found = productTables.filter((name) => named.includes(name));
  if (found.length > 0 && found.length === new Set(named).size) return found;
  throw new OperatorError(`--tables takes watchlist, snapshots, or both, not "${given}".`);
}
