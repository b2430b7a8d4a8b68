/**
 * The path of one alert from the market's refresh to its receipt, joined from the functions' own log events
 * by alert id, event and invocation. Pure; all times are epoch milliseconds.
 */
import * as z from 'zod';
import type { LogEntry } from '#test/proof/soak/cloud-messages.ts';

const polledSchema = z.object({
  message: z.literal('poll.finished'),
  eventId: z.number(),
  newSnapshots: z.number().positive(),
  newestAt: z.number(),
  dispatchedAt: z.number(),
  startedAt: z.number(),
});
const evaluatedSchema = z.object({
  message: z.literal('evaluate.finished'),
  eventId: z.number(),
  nudgedAt: z.number(),
  startedAt: z.number(),
  function_request_id: z.string(),
});
const firedSchema = z.object({
  message: z.literal('alert.fired'),
  alertId: z.string(),
  eventId: z.number(),
  observedAt: z.number(),
  firedAt: z.number(),
  function_request_id: z.string(),
});
const sentSchema = z.object({
  message: z.literal('delivery.attempted'),
  outcome: z.literal('sent'),
  purpose: z.literal('alert'),
  alertId: z.string(),
  channelKind: z.string(),
  queuedAt: z.number(),
  startedAt: z.number(),
});

type Polled = z.infer<typeof polledSchema>;
type Evaluated = z.infer<typeof evaluatedSchema>;
type Fired = z.infer<typeof firedSchema>;
type Sent = z.infer<typeof sentSchema>;

/** The stations of an alert's path, in order. */
export const stations = [
  'refreshed',
  'dispatched',
  'pollStarted',
  'nudged',
  'evaluateStarted',
  'fired',
  'queued',
  'sendStarted',
  'received',
] as const;
export type Trace = Record<(typeof stations)[number], number>;

export class TraceLog {
  readonly #polls: Polled[] = [];
  readonly #evaluations: Evaluated[] = [];
  readonly #fired: Fired[] = [];
  readonly #sent = new Map<string, Sent>();
  readonly #received = new Map<string, number>();

  /** Takes a log event; ignores events that are not a station. */
  read(entry: LogEntry, at: number): void {
    const polled = polledSchema.safeParse(entry).data;
    const evaluated = evaluatedSchema.safeParse(entry).data;
    const fired = firedSchema.safeParse(entry).data;
    const sent = sentSchema.safeParse(entry).data;
    if (polled) this.#polls.push(polled);
    if (evaluated) this.#evaluations.push(evaluated);
    if (fired) this.#fired.push(fired);
    if (!sent) return;
    this.#sent.set(sent.alertId, sent);
    // The inbox doesn't store when a mail came; SES had accepted it when the attempt was logged.
    if (sent.channelKind === 'email') this.receive(sent.alertId, at);
  }

  receive(alertId: string, receivedAt: number): void {
    if (!this.#received.has(alertId)) this.#received.set(alertId, receivedAt);
  }

  get fired(): number {
    return this.#fired.length;
  }

  get received(): number {
    return this.#received.size;
  }

  /** The complete paths since a time; an alert with a missing station has none. */
  traces(since: number): Trace[] {
    return this.#fired
      .filter(({ observedAt }) => observedAt >= since)
      .flatMap((fired) => this.#traceOf(fired) ?? []);
  }

  #traceOf({ alertId, eventId, observedAt, firedAt, ...fired }: Fired): Trace | undefined {
    const poll = this.#polls
      .filter((one) => one.eventId === eventId && one.newestAt >= observedAt)
      .sort((a, b) => a.startedAt - b.startedAt)[0];
    const evaluation = this.#evaluations.find(
      (one) => one.function_request_id === fired.function_request_id && one.eventId === eventId,
    );
    const sent = this.#sent.get(alertId);
    const receivedAt = this.#received.get(alertId);
    if (!poll || !evaluation || !sent || receivedAt === undefined) return undefined;
    return inOrder([
      observedAt,
      poll.dispatchedAt,
      poll.startedAt,
      evaluation.nudgedAt,
      evaluation.startedAt,
      firedAt,
      sent.queuedAt,
      sent.startedAt,
      receivedAt,
    ]);
  }
}

/**
 * A run that an earlier nudge started may find a snapshot before its own nudge is sent: a station that was
 * passed before the previous one gets a duration of zero.
 */
function inOrder(times: readonly number[]): Trace {
  let latest = Number.NEGATIVE_INFINITY;
  const entries = stations.map((station, index) => {
    latest = Math.max(latest, times[index] ?? latest);
    return [station, latest] as const;
  });
  return Object.fromEntries(entries) as Trace;
}
