// An explanation as JSON and as CSV: amounts in units that people read, each reason as a code and a sentence.
import * as z from 'zod';
import { feedKinds } from '#shared/polling/feed-kinds.ts';
import { inToldUnit } from '#shared/rules/metric.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { type AlertState, alertStates } from '../alert-outcome.ts';
import { asText, writeCsv } from '../watches/csv-table.ts';
import { ruleStandingFields, ruleStandingJson } from '../watches/watch-json.ts';
import type { ExplainedRule } from './known-era.ts';
import type { Gap } from './look-gaps.ts';
import {
  gapReasons,
  gapReasonTable,
  knownFromReasons,
  knownFromTable,
  lookReasons,
  lookReasonTable,
  reasonRows,
  reasonText,
} from './look-reasons.ts';
import { distanceShare, type LookRow } from './look-row.ts';
import { missWords } from './why-silent.ts';

/** How an alert of a look went on; `dueAt` in epoch milliseconds, if it is held. */
export interface AlertEnd {
  state: AlertState;
  reason: string | null;
  dueAt: number | null;
}

/** A row with the outcome of its alert. */
export interface ToldRow extends LookRow {
  end: AlertEnd | undefined;
}

const { words: _words, reached: _reached, ...numbers } = ruleStandingFields;

export const lookJsonSchema = z
  .object({
    rule_id: z.string(),
    observed_at: z.iso.datetime().meta({ description: 'When the market had this value' }),
    looked_at: z.iso.datetime().nullable().meta({
      description: 'When the poll that brought it was sent; null if that was not recorded',
    }),
    evaluated: z.boolean().meta({ description: 'Whether the rules have been matched with it' }),
    ...numbers,
    distance_percent: z
      .number()
      .nullable()
      .meta({ description: 'The distance in percent of the level; 0 when reached' }),
    state: ruleStandingFields.state.meta({ description: 'The state of the rule before the look' }),
    reason: z.enum(lookReasons).meta({
      description: `Why the rule spoke, or did not:\n\n${reasonRows(lookReasonTable)}`,
    }),
    text: z.string().meta({ description: 'The reason as a sentence' }),
    alert_id: z.string().nullable(),
    alert_state: z.enum(alertStates).nullable(),
    alert_reason: z.string().nullable().meta({
      description:
        'Why the alert was held, failed or was not sent, as in GET /v1/alerts: snoozed, muted, quiet_hours, digest, …',
    }),
    alert_due_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until when it is held, such as the end of the quiet hours' }),
  })
  .meta({ id: 'Look', description: 'One rule at one snapshot' });

export const explainedRuleSchema = z
  .object({
    id: z.string(),
    sentence: z.string(),
    known_from: z.iso
      .datetime()
      .meta({ description: 'Nothing is known of the rule before this time' }),
    known_from_reason: z
      .enum(knownFromReasons)
      .meta({ description: `Why:\n\n${reasonRows(knownFromTable)}` }),
    forms: z
      .array(
        z.object({
          from: z.iso.datetime(),
          to: z.iso.datetime().nullable(),
          sentence: z.string(),
        }),
      )
      .meta({
        description:
          'What the rule was when, oldest first; `to` is null for the rule of today. Each look is explained by the form of its time.',
      }),
    closest_miss: z
      .object({
        observed_at: z.iso.datetime(),
        value: z.number().nullable(),
        level: z.number().nullable(),
        distance: z.number().nullable(),
        distance_percent: z.number().nullable(),
        reason: z.enum(lookReasons),
        text: z.string().meta({ description: '"$152 against $150, Tue 14:10": and the reason' }),
      })
      .nullable()
      .meta({
        description:
          'The look of the 7 days before `to` at which the rule was nearest to an alert without one',
      }),
    alerts_complete: z
      .boolean()
      .meta({ description: 'False if some of its stored alerts can’t be read' }),
  })
  .meta({ id: 'RuleExplanation' });

export const gapJsonSchema = z
  .object({
    feed: z.enum(feedKinds),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    reason: z.enum(gapReasons).meta({ description: `Why:\n\n${reasonRows(gapReasonTable)}` }),
    text: z.string(),
  })
  .meta({ id: 'LookGap', description: 'A time without a successful poll' });

/** One look at one rule. */
export function lookJson(row: ToldRow): z.infer<typeof lookJsonSchema> {
  const { words: _sentence, reached: _isReached, ...standing } = ruleStandingJson(row.status);
  const { end } = row;
  return {
    rule_id: row.status.ruleId,
    observed_at: iso(row.observedAt),
    looked_at: isoOrNull(row.poll?.at),
    evaluated: row.isEvaluated,
    ...standing,
    distance_percent: percentOf(row),
    reason: row.reason.code,
    text: reasonText(lookReasonTable, row.reason),
    alert_id: row.alert?.alertId ?? null,
    alert_state: end?.state ?? null,
    alert_reason: end?.reason ?? null,
    alert_due_at: isoOrNull(end?.dueAt ?? undefined),
  };
}

/** A rule with its closest miss; `timeZone` is its owner's. */
export function explainedRuleJson(
  { rule, eras, knownFrom, knownFromReason, closestMiss, areAlertsWhole }: ExplainedRule,
  timeZone: string,
): z.infer<typeof explainedRuleSchema> {
  return {
    id: rule.ruleId,
    sentence: ruleSentence(rule.rule),
    known_from: iso(knownFrom),
    known_from_reason: knownFromReason,
    forms: eras.map((era) => ({
      from: iso(era.from),
      to: Number.isFinite(era.to) ? iso(era.to) : null,
      sentence: ruleSentence(era.rule.rule),
    })),
    closest_miss: closestMiss ? missJson(closestMiss, timeZone) : null,
    alerts_complete: areAlertsWhole,
  };
}

function missJson(row: LookRow, timeZone: string) {
  const { unit, value, level, distance } = row.status;
  const amount = (number: number | null) => (number === null ? null : inToldUnit(unit, number));
  const numbers = missWords(
    { unit, value: value ?? 0, level: level ?? 0 },
    { at: row.observedAt, timeZone },
  );
  return {
    observed_at: iso(row.observedAt),
    value: amount(value),
    level: amount(level),
    distance: amount(distance === null ? null : Math.max(0, distance)),
    distance_percent: percentOf(row),
    reason: row.reason.code,
    text: `${numbers}. ${reasonText(lookReasonTable, row.reason)}`,
  };
}

/** A time without a successful poll. */
export function gapJson({ kind, from, to, reason }: Gap): z.infer<typeof gapJsonSchema> {
  return {
    ...{ feed: kind, from: iso(from), to: iso(to), reason: reason.code },
    text: reasonText(gapReasonTable, reason),
  };
}

const columns = [
  ...['observed_at', 'looked_at', 'rule', 'value', 'unit', 'level', 'distance'],
  ...['distance_percent', 'state', 'reason', 'text', 'alert_id', 'alert_state', 'alert_reason'],
  ...['alert_due_at', 'rule_id'],
] as const;

/** Cells that a spreadsheet is to read as numbers and times. */
const numeric: ReadonlySet<string> = new Set([
  ...['observed_at', 'looked_at', 'value', 'level', 'distance', 'distance_percent'],
  'alert_due_at',
]);

/** The looks as CSV; `sentences` by rule id. */
export function looksCsv(
  rows: readonly ToldRow[],
  sentences: ReadonlyMap<string, string>,
  form: Parameters<typeof writeCsv>[1],
): string {
  const lines = rows.map((row) => {
    const json = lookJson(row);
    const cells: Record<string, unknown> = { ...json, rule: sentences.get(json.rule_id) };
    return columns.map((column) => {
      const cell = String(cells[column] ?? '');
      return numeric.has(column) ? cell : asText(cell);
    });
  });
  return writeCsv([[...columns], ...lines], form);
}

function percentOf({ status }: LookRow): number | null {
  const share = distanceShare(status);
  return share === null ? null : share / 100;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : iso(at);
}
