// One run of edits: reads the living messages of a feed and its newest snapshots once, and brings each message
// up to date whose words have changed.
import type { EvaluationStore } from '#shared/dynamo/evaluations.ts';
import type { LivingMessageStore } from '#shared/dynamo/living-messages.ts';
import { reasonOf, reportFault } from '#shared/fault-report.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Snapshot } from '#shared/rules/sources/sources.ts';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { Evaluation } from '../../alerts/evaluation.ts';
import {
  type EditMessage,
  type EditResult,
  editedJustNow,
  type WantedEdit,
} from './edit-message.ts';
import { episodeState, isFinal, tellsTheSame } from './episode-state.ts';
import { type EditRun, editEveryMs, type LivingMessage } from './living-message.ts';
import { editRunMessage, type PlanEdits } from './plan-edits.ts';

type FeedOf = Pick<EditRun, 'eventId' | 'kind'>;

interface EditRunDeps {
  livingMessages: Pick<LivingMessageStore, 'discard' | 'list' | 'unmark'>;
  findEvaluation: EvaluationStore['find'];
  snapshots: {
    after(feed: FeedOf, observedAt: number, limit: number): Promise<Snapshot[]>;
    latest(feed: FeedOf, through: number, limit: number): Promise<Snapshot[]>;
  };
  findTrigger: (triggerId: string) => Promise<Trigger | undefined>;
  findAlert: (alertId: string) => Promise<Alert | undefined>;
  findEventFacts: (eventId: number) => Promise<EventFacts | undefined>;
  editMessage: EditMessage;
  sendEdits: SendMessages;
  planEdits: PlanEdits;
  wait: (ms: number) => Promise<void>;
}

/** The clock of a run, and the time that its invocation has left, in milliseconds. */
interface EditClock {
  now: () => number;
  remainingMs: () => number;
}

/** What one run did; counts of messages. */
export interface EditRunResult {
  living: number;
  edited: number;
  removed: number;
  deferred: number;
  failed: number;
  taken: number;
  unchanged: number;
  /** Why edits failed or were deferred. */
  reasons: string[];
}

export type RunEdits = (run: EditRun, clock: EditClock) => Promise<EditRunResult>;

const messagesPerRun = 100;
const snapshotsPerRun = 50;
/** An edit that was lost, deferred or refused for a while still tells the low that it was for. */
const lookBackMs = 30 * 60_000;
/** A run leaves the rest to the next one, so that alerts never wait for edits. */
const longestRunMs = 15_000;
/** The time for the edits that have begun. */
const reserveMs = 15_000;
/** The messages of a channel need its rate too. */
const betweenEditsMs = 1_000;
const soonMs = 5_000;
/** Runs in a row without a single edit; after them the next snapshot asks again. */
const mostTries = 5;

export function createRunEdits(deps: EditRunDeps): RunEdits {
  return async function runEdits(run, clock) {
    const now = clock.now();
    const [evaluation, page, snapshots, event] = await Promise.all([
      deps.findEvaluation(run),
      deps.livingMessages.list(run, { after: run.after, limit: messagesPerRun, now }),
      readSnapshots(deps, run, now),
      deps.findEventFacts(run.eventId),
    ]);
    // A message that can't be read can't be edited; it is reported when it is read.
    await deps.livingMessages.discard(page.unreadable);
    const facts = { snapshots, event, now, watchId: run.watchId };
    const judged = await Promise.all(page.messages.map((message) => judge(deps, message, facts)));
    const results = await editAll(
      deps,
      judged.filter((each) => each !== undefined),
      clock,
    );
    const result = countOf(page.messages.length, results);
    await goOn(deps, { run, evaluation, next: page.next, result, results, now: clock.now() });
    return result;
  };
}

/** The snapshots from the run's beginning on, and those shortly before it; of very many, the newest. */
async function readSnapshots(
  { snapshots }: EditRunDeps,
  run: EditRun,
  now: number,
): Promise<Snapshot[]> {
  const from = Math.min(run.from, now - lookBackMs);
  const found = await snapshots.after(run, from - 1, snapshotsPerRun);
  if (found.length < snapshotsPerRun) return found;
  return snapshots.latest(run, Number.MAX_SAFE_INTEGER, snapshotsPerRun);
}

interface JudgedBy {
  snapshots: Snapshot[];
  event: EventFacts | undefined;
  now: number;
  watchId: string | undefined;
}

/** @returns undefined if the message shows the present state, or if the run is about another watch. */
async function judge(
  { findTrigger, findAlert }: EditRunDeps,
  message: LivingMessage,
  { watchId, ...facts }: JudgedBy,
): Promise<WantedEdit | undefined> {
  if (watchId !== undefined && watchId !== message.watchId) return undefined;
  const { alertId, triggerId, shows } = message;
  const [alert, trigger] = await Promise.all([findAlert(alertId), findTrigger(triggerId)]);
  const state = alert && stateOf({ ...facts, alert, trigger, shows });
  if (watchId === undefined && state && tellsTheSame(state, shows)) return undefined;
  return { message, alert, state, isFinal: state !== undefined && isFinal(state, trigger) };
}

/** An alert that can't be judged is not kept up to date; the other messages are. */
function stateOf(facts: Parameters<typeof episodeState>[0]) {
  try {
    return episodeState(facts);
  } catch (error) {
    const { alertId } = facts.alert;
    reportFault({ thing: 'living_message', reason: reasonOf(error), ids: { alertId }, error });
    return undefined;
  }
}

/** The channels side by side, and the messages of one channel one after the other. */
async function editAll(
  deps: EditRunDeps,
  wanted: readonly WantedEdit[],
  clock: EditClock,
): Promise<EditResult[]> {
  const endsAt = clock.now() + longestRunMs;
  const isTimeUp = () => clock.now() > endsAt || clock.remainingMs() < reserveMs;
  const channels = [...Map.groupBy(wanted, ({ message }) => message.channelId).values()];
  const done = await Promise.allSettled(
    channels.map((edits) => editInTurn(deps, edits, { clock, isTimeUp })),
  );
  return done.flatMap((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

async function editInTurn(
  { editMessage, wait }: EditRunDeps,
  edits: readonly WantedEdit[],
  { clock, isTimeUp }: { clock: EditClock; isTimeUp: () => boolean },
): Promise<EditResult[]> {
  const results: EditResult[] = [];
  for (const edit of edits) {
    const last = results.at(-1);
    if (last?.kind === 'edited') await wait(betweenEditsMs);
    if (last && isOfChannel(last)) {
      const { reason, until = clock.now() + editEveryMs } = last;
      results.push({ kind: 'deferred', reason, until });
    } else if (isTimeUp()) results.push({ kind: 'deferred', until: 0, reason: 'out_of_time' });
    else results.push(await editMessage(edit, clock.now));
  }
  return results;
}

/** Whether what kept one message from being edited keeps the others of its channel too. */
function isOfChannel(result: EditResult): result is Extract<EditResult, { reason: string }> {
  return 'reason' in result && result.reason !== editedJustNow;
}

function countOf(living: number, results: readonly EditResult[]): EditRunResult {
  const counts = { edited: 0, removed: 0, deferred: 0, failed: 0, taken: 0, unchanged: 0 };
  for (const { kind } of results) counts[kind] += 1;
  const reasons = results.flatMap((each) => ('reason' in each ? each.reason : []));
  return { living, ...counts, reasons: [...new Set(reasons)] };
}

interface Ended {
  run: EditRun;
  evaluation: Evaluation | undefined;
  next: string | undefined;
  result: EditRunResult;
  results: readonly EditResult[];
  now: number;
}

/** Enqueues what is left to do: further messages at once, deferred ones when they can be edited. */
async function goOn(deps: EditRunDeps, ended: Ended): Promise<void> {
  const { run, evaluation, next, result, results, now } = ended;
  const { after, tries = 0, ...same } = run;
  if (next !== undefined) {
    await deps.sendEdits([editRunMessage({ ...same, after: next }, now, now)]);
  }
  if (!evaluation) return;
  const times = results.flatMap((each) => ('until' in each ? (each.until ?? []) : []));
  const again = result.edited > 0 ? 1 : tries + 1;
  if (times.length > 0 && again <= mostTries) {
    const dueAt = Math.max(Math.min(...times), now + soonMs);
    await deps.planEdits({ ...same, tries: again }, evaluation, { dueAt, now });
  }
  const isLast = after === undefined && next === undefined && result.removed === result.living;
  if (isLast && evaluation.livingMarks !== undefined) {
    await deps.livingMessages.unmark(run, evaluation.livingMarks);
  }
}
