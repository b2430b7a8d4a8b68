// The money: own pulls by day, what they were for, and for an admin the whole deployment.
import { readUsage, type UsageAnswer, type UsageRowJson } from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Failed, Waiting } from '../../parts/states.tsx';
import { filter, place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { isAdmin } from '../../state/session.ts';
import { Deployment } from './deployment.tsx';
import { Today } from './today.tsx';
import { UsageByDay } from './usage-by-day.tsx';
import { UsageTable } from './usage-table.tsx';
import { startOf } from './usage-words.ts';

const ranges = [7, 30, 90] as const;
const usualRange = 30;
const groups = ['event', 'watch', 'tag'] as const;
export type Group = (typeof groups)[number];

/** Each answer reads the ledger of the range, so it is asked more rarely than other data. */
const everyMs = 60_000;
const pageSize = 200;

interface MoneyData {
  days: UsageAnswer;
  rows: readonly UsageRowJson[];
  /** By watch, whichever group is shown: it says what sharing saved. */
  watches: readonly UsageRowJson[];
}

/** The rows of a group, over all pages. */
function readRows(by: Group, from: string, signal: AbortSignal): Promise<UsageRowJson[]> {
  return readAll(readUsage, { query: { by, from, limit: pageSize }, signal });
}

async function readMoney(days: number, by: Group, signal: AbortSignal): Promise<MoneyData> {
  const from = startOf(days, coarseNow.value);
  const [usage, rows] = await Promise.all([
    send(readUsage, { query: { by: 'day', from, limit: pageSize }, signal }),
    readRows(by, from, signal),
  ]);
  return {
    days: usage,
    rows,
    watches: by === 'watch' ? rows : await readRows('watch', from, signal),
  };
}

export function Money() {
  const { query } = place.value;
  const days = ranges.find((each) => String(each) === query.get('days')) ?? usualRange;
  const by = groups.find((each) => each === query.get('by')) ?? 'event';
  const { data, error } = useLive((signal) => readMoney(days, by, signal), [days, by], everyMs);
  return (
    <>
      <div class="title">
        <h1>Money</h1>
        <Choice
          label="Range"
          choices={ranges.map((each) => ({ value: String(each), label: `${each} d` }))}
          chosen={String(days)}
          onChoose={(value) => filter({ days: value })}
        />
      </div>
      <div class="grid">
        <div class="stack">
          {data.value ? (
            <>
              <UsageByDay usage={data.value.days} watches={data.value.watches} days={days} />
              <UsageTable rows={data.value.rows} by={by} from={startOf(days, coarseNow.value)}>
                <Choice
                  label="By"
                  choices={groups.map((value) => ({ value, label: `By ${value}` }))}
                  chosen={by}
                  onChoose={(value) => filter({ by: value })}
                />
              </UsageTable>
            </>
          ) : error.value ? (
            <NoUsage error={error.value} />
          ) : (
            <Waiting what="your pulls" />
          )}
        </div>
        <div class="stack">
          <Today />
        </div>
      </div>
      {isAdmin.value && <Deployment />}
    </>
  );
}

function NoUsage({ error }: { error: Error }) {
  const isTooLong = error instanceof RefusedError && error.status === 400;
  if (!isTooLong) return <Failed error={error} />;
  return (
    <div class="card blank" role="alert">
      <h2>This range has too many calls</h2>
      <p class="muted">Choose a shorter one.</p>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

function Choice({ label, choices, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset class="seg" aria-label={label}>
      {choices.map(({ value, label: words }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
