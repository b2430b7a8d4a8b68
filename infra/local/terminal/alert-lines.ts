/**
 * Turns the functions' log lines into one line per alert. Reads the alert's text through the API,
 * like any client.
 */
import * as z from 'zod';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { messageOf } from '../errors.ts';
import { parseEntry } from './log-lines.ts';
import type { Screen } from './screen.ts';

const firedSchema = z.object({ message: z.literal('alert.fired'), alertId: z.string() });

const attemptSchema = z.object({
  message: z.literal('delivery.attempted'),
  alertId: z.string().optional(),
  channelKind: z.string().optional(),
  outcome: z.enum(['sent', 'retry', 'failed', 'suppressed']),
  reason: z.string().nullish(),
});

const pollSchema = z.object({
  message: z.literal('poll.finished'),
  eventId: z.number(),
  feedKind: z.string(),
  outcome: z.string(),
  startedAt: z.number().default(0),
  pulls: z.number().default(0),
  newSnapshots: z.number().default(0),
});

const alertSchema = z.object({ headline: z.string(), event_name: z.string() });

/** Counts of the functions' reports since the run started. */
export interface Tally {
  alerts: number;
  delivered: number;
  deliveriesFailed: number;
  pulls: number;
  snapshotsStored: number;
  /** Event id → start of its last stats poll with an answer, epoch milliseconds. */
  polledAt: Map<number, number>;
}

export interface AlertLinesOptions {
  screen: Screen;
  api: string;
  apiKey: string;
}

export class AlertLines {
  readonly tally: Tally = {
    alerts: 0,
    delivered: 0,
    deliveriesFailed: 0,
    pulls: 0,
    snapshotsStored: 0,
    polledAt: new Map(),
  };
  #options: AlertLinesOptions | undefined;

  /** From now on shows alerts; before, only counts them. */
  showOn(options: AlertLinesOptions): void {
    this.#options = options;
  }

  /** Reads one log line of a function; ignores unknown events. */
  read(line: string): void {
    const entry = parseEntry(line);
    if (!entry) return;
    const fired = firedSchema.safeParse(entry);
    if (fired.success) this.#alertFired(fired.data.alertId);
    const attempt = attemptSchema.safeParse(entry);
    if (attempt.success) this.#deliveryAttempted(attempt.data);
    const poll = pollSchema.safeParse(entry);
    if (!poll.success) return;
    this.tally.pulls += poll.data.pulls;
    this.tally.snapshotsStored += poll.data.newSnapshots;
    const { eventId, feedKind, outcome, startedAt } = poll.data;
    if (feedKind === metricsFeed && outcome === 'polled')
      this.tally.polledAt.set(eventId, startedAt);
  }

  #alertFired(alertId: string): void {
    this.tally.alerts += 1;
    const options = this.#options;
    if (!options) return;
    const { screen } = options;
    describeAlert(alertId, options).then(
      (text) => screen.line(`${screen.paint('green', '▼')} ${text}`),
      (error) => screen.warning(`Alert ${alertId} fired, but can't be read: ${messageOf(error)}`),
    );
  }

  #deliveryAttempted({
    outcome,
    channelKind,
    alertId,
    reason,
  }: z.infer<typeof attemptSchema>): void {
    if (outcome === 'sent') this.tally.delivered += 1;
    if (outcome !== 'failed') return;
    this.tally.deliveriesFailed += 1;
    this.#options?.screen.warning(
      `The ${channelKind ?? ''} delivery of ${alertId} failed: ${reason ?? 'no reason given'}`,
    );
  }
}

async function describeAlert(alertId: string, { api, apiKey, screen }: AlertLinesOptions) {
  const response = await fetch(`${api}/v1/alerts/${alertId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`the API answered ${response.status}`);
  const { headline, event_name } = alertSchema.parse(await response.json());
  const named = headline.includes(event_name) ? headline : `${event_name}: ${headline}`;
  return screen.paint('bold', named);
}
