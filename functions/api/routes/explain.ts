// Why a watch spoke or did not: each look at each of its rules, over a range of time.
import * as z from 'zod';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import { mostVersions } from '#shared/watchlist/watch-version.ts';
import { readOutcome } from '../alert-outcome.ts';
import type { ApiDeps } from '../api-deps.ts';
import { csvForm, csvParams } from '../csv-params.ts';
import {
  explainedRuleJson,
  explainedRuleSchema,
  gapJson,
  gapJsonSchema,
  lookJson,
  lookJsonSchema,
  looksCsv,
  type ToldRow,
} from '../explain/explain-json.ts';
import { createExplainWatch } from '../explain/explain-watch.ts';
import type { LookRow } from '../explain/look-row.ts';
import { versionsOf } from '../explain/rule-eras.ts';
import { filterMark } from '../filtered-page.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { foreignCursor, pageJson, pageParams, pageRequest, pageSchema } from '../page.ts';
import { invalidFaults } from '../problem.ts';
import { timeParam } from '../query-params.ts';
import { eventFields, eventFieldsJson } from '../watches/event-fields.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';
import { watchParams } from './watches.ts';

const dayMs = 86_400_000;
const longestRangeMs = 31 * dayMs;
/** The rows of one CSV file: some 3 MB. */
const mostInCsv = 10_000;

const querySchema = z.strictObject({
  ...pageParams,
  ...csvParams,
  at: timeParam.optional().meta({
    description: 'The last look at or before this time, in place of a range',
  }),
  from: timeParam.optional().meta({ description: 'Default: 24 hours before `to`' }),
  to: timeParam.optional().meta({ description: 'Default: now' }),
  rule_id: z.string().max(100).optional().meta({ description: 'Only this rule of the watch' }),
});

type Query = z.infer<typeof querySchema>;

const description = [
  'For each rule, each look at it in a range of at most 31 days: the snapshot’s time and when we looked, the value, the level, the distance, the state of the rule before the look, and the alert that it raised or the one reason why it raised none. Newest first. `rules` has the closest miss of the 7 days before `to`, `gaps` the times without a poll.',
  'The decisions are computed by the matching code from the stored snapshots, and checked against the stored alerts: if they differ, the alerts are right, and the reason is `unknown`. Each look is explained by the rule that was in force then, from the kept versions of the watch; what is not known is not told (`known_from`). The request causes no poll.',
  `\`format=csv\` has the looks of the whole range as a file, the newest ${mostInCsv} at most.`,
].join(' ');

/** explain. */
export function explainOperations(deps: ApiDeps, use: WatchlistUse): Operation[] {
  const explainWatch = createExplainWatch(deps);
  const { stores } = deps;
  return [
    defineOperation({
      method: 'get',
      path: '/v1/watches/{id}/explain',
      tag: 'Watches',
      summary: 'Why a watch alerted, or did not',
      description,
      access: 'read',
      params: watchParams,
      query: querySchema,
      refusals: [409],
      answer: {
        status: 200,
        description: 'The looks, newest first',
        schema: pageSchema('Explanation', lookJsonSchema, {
          watch_id: z.string(),
          ...eventFields,
          from: z.iso.datetime(),
          to: z.iso.datetime(),
          rules: z.array(explainedRuleSchema),
          gaps: z.array(gapJsonSchema).meta({ description: 'Oldest first' }),
        }),
        types: ['application/json', 'text/csv'],
      },
      handle: async ({ ownerId, params, query, now }) => {
        const mark = filterMark({ ...query, format: undefined });
        const { limit, after } = pageRequest(query, placeForm, mark);
        const range = after === undefined ? rangeOf(query, now) : rangeOfPlace(after);
        const whole = await use.owned(params.id, ownerId);
        const [owner, earlier, triggers, { facts }] = await Promise.all([
          stores.access.findOwner(ownerId),
          stores.watchVersions.listBefore(whole.watchId, whole.version, {
            ...{ limit: mostVersions, now },
          }),
          use.standing.triggersOf(whole),
          use.current(whole, now),
        ]);
        const { timeZone } = hearingTimesOf(owner);
        const watch = { ...whole, rules: whole.rules.filter(isAsked(query)) };
        if (watch.rules.length === 0) throw refusal('rule_id', 'is no rule of this watch');
        const versions = versionsOf(whole, earlier);
        const found = await explainWatch({ watch, versions, triggers, ...range, timeZone, now });
        const rows = query.at === undefined ? found.rows : lastOfEach(found.rows);
        if (query.format === 'csv') {
          const sentences = new Map(
            watch.rules.map((each) => [each.ruleId, ruleSentence(each.rule)]),
          );
          const told = await withEnds(rows.slice(0, mostInCsv));
          const content = looksCsv(told, sentences, csvForm(query));
          return csvAnswer(content);
        }
        const left = rows.filter((row) => after === undefined || isAfter(row, after));
        const shown = await withEnds(left.slice(0, limit));
        const last = shown.at(-1);
        const isMore = left.length > limit && last !== undefined;
        const page = { rows: shown, ...(isMore && { next: placeOf(last, range) }) };
        return {
          body: {
            watch_id: watch.watchId,
            ...eventFieldsJson(watch.eventId, facts),
            ...{ from: iso(range.from), to: iso(range.to) },
            rules: found.rules.map((rule) => explainedRuleJson(rule, timeZone)),
            gaps: found.gaps.map(gapJson),
            ...pageJson(page, lookJson, mark),
          },
        };
      },
    }),
  ];

  function withEnds(rows: readonly LookRow[]): Promise<ToldRow[]> {
    return Promise.all(
      rows.map(async (row) => {
        if (!row.alert) return { ...row, end: undefined };
        const { state, reason, heldUntil: dueAt } = await readOutcome(stores, row.alert);
        return { ...row, end: { state, reason, dueAt } };
      }),
    );
  }
}

function csvAnswer(content: string) {
  const headers = { 'content-disposition': 'attachment; filename="explain.csv"' };
  return { text: { type: 'text/csv; charset=utf-8', content }, headers };
}

interface Range {
  from: number;
  to: number;
}

/** @throws ProblemError for a range that is empty, too long, or beside `at`. */
function rangeOf({ at, from, to }: Query, now: number): Range {
  if (at !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw refusal('at', 'is one time; leave out `from` and `to`, or `at`');
    }
    const until = Math.min(at, now);
    return { from: until - 7 * dayMs, to: until };
  }
  const until = Math.min(to ?? now, now);
  const since = from ?? until - dayMs;
  if (since >= until) throw refusal('from', 'must be before `to`, and in the past');
  if (until - since > longestRangeMs) throw refusal('from', 'must be at most 31 days before `to`');
  return { from: since, to: until };
}

function refusal(name: string, detail: string) {
  return invalidFaults([{ pointer: `#/${name}`, detail }]);
}

function isAsked({ rule_id: asked }: Query) {
  return ({ ruleId }: { ruleId: string }) => asked === undefined || ruleId === asked;
}

/** The newest look of each rule. */
function lastOfEach(rows: readonly LookRow[]): LookRow[] {
  const seen = new Set<number>();
  return rows.filter(({ index }) => !seen.has(index) && seen.add(index));
}

/** A place in the list: the look, the rule, and the range, so that every page has the same one. */
const placeForm = /^\d{1,15}#\d{1,4}#-?\d{1,15}#\d{1,15}$/;

function placeOf({ observedAt, index }: LookRow, { from, to }: Range): string {
  return [observedAt, index, from, to].join('#');
}

function rangeOfPlace(place: string): Range {
  const [, , from = 0, to = 0] = place.split('#').map(Number);
  if (from >= to || to - from > longestRangeMs) throw foreignCursor();
  return { from, to };
}

function isAfter(row: LookRow, place: string): boolean {
  const [observedAt = 0, index = 0] = place.split('#').map(Number);
  return row.observedAt < observedAt || (row.observedAt === observedAt && row.index > index);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
