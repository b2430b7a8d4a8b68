// The import of a watchlist: a preview first, which changes nothing, and then the same file for good.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type ImportReport, importWatchlist, type JobJson } from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { refreshAll } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { count, dollars } from '../../words/amounts.ts';
import { countWords, linesOf, outcomeWords, typeOfFile } from './import-words.ts';
import { JobProgress } from './jobs.tsx';

interface Chosen {
  file: File;
  type: 'text/csv' | 'application/json';
  lineOf: (line: number) => string;
}

/** Rows that are shown; all of them are counted. */
const mostShown = 100;

type Answer = ImportReport | JobJson;

function isJob(answer: Answer): answer is JobJson {
  return 'state' in answer;
}

export function ImportCard() {
  const field = useRef<HTMLInputElement>(null);
  const chosen = useSignal<Chosen | undefined>(undefined);
  const preview = useSignal<Answer | undefined>(undefined);
  const result = useSignal<Answer | undefined>(undefined);
  const problem = useSignal<Error | string | undefined>(undefined);
  const isBusy = useSignal(false);

  async function ask(isDry: boolean): Promise<void> {
    const wanted = chosen.value;
    if (!wanted) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      const { file: content, type } = wanted;
      const query = { dry_run: isDry || undefined };
      const answer = await send(importWatchlist, { query, file: { type, content } });
      if (isDry) {
        preview.value = answer;
      } else {
        result.value = answer;
        preview.value = undefined;
        chosen.value = undefined;
        if (field.current) field.current.value = '';
      }
      // A job is new in the list of jobs.
      if (!isDry || isJob(answer)) refreshAll();
    } catch (error) {
      problem.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  }

  async function choose(file: File | undefined): Promise<void> {
    preview.value = undefined;
    result.value = undefined;
    problem.value = undefined;
    chosen.value = undefined;
    if (!file) return;
    const type = typeOfFile(file.name);
    if (!type) {
      problem.value = 'Choose a CSV or a JSON file. In Excel: “Save as”, “CSV UTF-8”.';
      return;
    }
    chosen.value = { file, type, lineOf: linesOf(await file.text()) };
    await ask(true);
  }

  const lineOf = chosen.value?.type === 'text/csv' ? chosen.value.lineOf : () => '';
  return (
    <Card title="Import a file">
      <div class="inside">
        {canWrite.value ? (
          <label class="field">
            <span>A watchlist as CSV or JSON; you see first what it would do</span>
            <input
              ref={field}
              type="file"
              accept=".csv,.tsv,.txt,.json,text/csv,application/json"
              onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
            />
          </label>
        ) : (
          <p class="muted">This key can only read.</p>
        )}
        {isBusy.value && <p role="status">Reading the file …</p>}
        {problem.value !== undefined && <Problem problem={problem.value} lineOf={lineOf} />}
        {preview.value && (
          <>
            <h3>What it would do</h3>
            <Outcome answer={preview.value} lineOf={lineOf} />
            <div class="row">
              <button
                type="button"
                class="primary"
                disabled={isBusy.value}
                onClick={() => void ask(false)}
              >
                Carry it out
              </button>
              <button
                type="button"
                onClick={() => {
                  void choose(undefined);
                  if (field.current) field.current.value = '';
                }}
              >
                Leave it
              </button>
            </div>
          </>
        )}
        {result.value && (
          <>
            <h3>Done</h3>
            <Outcome answer={result.value} lineOf={() => ''} />
          </>
        )}
      </div>
    </Card>
  );
}

interface OutcomeProps {
  answer: Answer;
  lineOf: (line: number) => string;
}

function Outcome({ answer, lineOf }: OutcomeProps) {
  if (isJob(answer)) return <JobProgress id={answer.id} />;
  const { watches, cost, refused } = answer;
  return (
    <>
      <p>
        <b>{countWords(answer) || 'Nothing'}</b>
        {cost &&
          cost.pulls_per_day_added > 0 &&
          `; at most ${count(cost.pulls_per_day_added)} more pulls a day, ${dollars(cost.flat_value_per_day)}`}
        .
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th class="num">Line</th>
              <th>What</th>
            </tr>
          </thead>
          <tbody>
            {watches.slice(0, mostShown).map(({ line, outcome, detail }) => (
              <tr key={line}>
                <td class="num">{line}</td>
                <td>
                  {outcomeWords(outcome)}
                  {detail && `: ${detail}`}
                  <div class="small faint">{lineOf(line)}</div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cost && refused > 0 && (
        <p class="wait-text">
          Correct the refused rows first: if a fault is in the file itself, nothing of the file is
          carried out.
        </p>
      )}
      {watches.length > mostShown && (
        <p class="small muted">
          The first {mostShown} of {count(watches.length)} rows.
        </p>
      )}
    </>
  );
}

interface ProblemProps {
  problem: Error | string;
  lineOf: (line: number) => string;
}

/** The faults with their lines: a file with one changes nothing. */
function Problem({ problem, lineOf }: ProblemProps) {
  const faults = problem instanceof RefusedError ? problem.faults : [];
  return (
    <div role="alert">
      <p class="alarm-text">{typeof problem === 'string' ? problem : problem.message}</p>
      {faults.length > 1 && (
        <ul class="plain-list small scroll">
          {faults.slice(0, mostShown).map(({ line, column, detail }) => (
            <li key={`${line} ${column} ${detail}`}>
              {line !== undefined && `Line ${line}, `}
              {column && `${column} `}
              {detail}
              {line !== undefined && <div class="faint">{lineOf(line)}</div>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
