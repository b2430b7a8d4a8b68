// Rule preview: when a rule would have fired on the stored snapshots.
import * as z from 'zod';
import { valueText } from '#shared/delivery/message/figures.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { ApiDeps } from '../api-deps.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults } from '../problem.ts';
import { zoneFaults } from '../watches/check-watch.ts';
import { createPreviewRule, mostPreviewed, type Preview } from '../watches/preview-rule.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const dayMs = 86_400_000;
/** As long as raw snapshots are kept. */
const longestMs = 90 * dayMs;
const usualMs = 7 * dayMs;

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-03-01T12:00:00Z' });

const previewSchema = z
  .strictObject({
    event_id: z.int().positive(),
    rule: ruleSchema,
    from: time.optional().meta({ description: 'Default: 7 days before `to`' }),
    to: time.optional().meta({ description: 'Default: now' }),
  })
  .meta({ id: 'PreviewRequest' });

const amount = z.number().nullable();

const fireSchema = z.object({
  observed_at: z.iso.datetime().meta({ description: 'When the market had this value' }),
  value: z.number().meta({ description: 'The price, or the count, at that time' }),
  level: amount,
  baseline: amount.meta({ description: 'The value that the change was measured from' }),
  already_true: z.boolean(),
  lowest_after: z
    .object({ observed_at: z.iso.datetime(), value: z.number() })
    .nullable()
    .meta({ description: 'The lowest value afterwards, within the evaluated time' }),
  words: z.string(),
});

const previewJsonSchema = z
  .object({
    sentence: z.string(),
    unit: z.enum(['dollars', 'count', 'percent']),
    fires: z.array(fireSchema),
    count: z.int(),
    per_week: z.number(),
    nearby: z
      .array(
        z.object({
          amount: z.number().meta({ description: 'The amount that replaces the rule’s own' }),
          sentence: z.string(),
          count: z.int(),
          per_week: z.number(),
        }),
      )
      .meta({
        description:
          'Number of alerts with a slightly higher or lower amount, the rule’s own included; empty if the rule has no amount',
      }),
    from: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The time of the first evaluated snapshot' }),
    to: z.iso.datetime().nullable(),
    snapshots: z.int(),
    note: z.string().meta({ description: 'The evaluated data, and the cost of the watch' }),
  })
  .meta({ id: 'Preview' });

/** `POST /v1/rules/preview`. */
export function ruleOperations(deps: ApiDeps, { presentState }: WatchlistUse): Operation[] {
  const previewRule = createPreviewRule(deps);
  return [
    defineOperation({
      method: 'post',
      path: '/v1/rules/preview',
      tag: 'Rules',
      summary: 'When a rule would have fired',
      description:
        'Evaluates a rule on the stored snapshots of an event and saves nothing. It causes no poll and costs nothing.',
      access: 'read',
      body: previewSchema,
      bodyExamples: {
        level: {
          summary: 'A level, over the last week',
          value: {
            event_id: exampleIds.event,
            rule: { type: 'level', metric: 'get_in', at_or_below: 80 },
          },
        },
      },
      answer: {
        status: 200,
        description: 'The alerts that the rule would have raised',
        schema: previewJsonSchema,
      },
      handle: async ({ body, now }) => {
        const through = body.to === undefined ? now : Date.parse(body.to);
        const from = body.from === undefined ? through - usualMs : Date.parse(body.from);
        const { zones } = await presentState.read(body.event_id);
        const faults = zoneFaults([body.rule], zones, Number.NEGATIVE_INFINITY).map((fault) => ({
          ...fault,
          pointer: fault.pointer.replace('#/rules/0', '#/rule'),
        }));
        if (from >= through || through - from > longestMs) {
          faults.push({ pointer: '#/from', detail: 'must be before `to`, by at most 90 days' });
        }
        if (faults.length > 0) throw invalidFaults(faults);
        const { event_id: eventId, rule } = body;
        const preview = await previewRule({ eventId, rule, from, through }, now);
        return { body: { sentence: ruleSentence(rule), ...previewJson(preview) } };
      },
    }),
  ];
}

const units = { price: 'dollars', count: 'count', rate: 'percent' } as const;

function previewJson(preview: Preview) {
  const unit = unitOf(parseSeries(preview.series).base);
  const isPlain = parseSeries(preview.series).transform === null;
  const amountOf = (value: number | null) =>
    value === null ? null : unit === 'count' ? value : value / 100;
  const { covered, fires } = preview;
  const weeks = covered ? Math.max(1, (covered.through - covered.from) / (7 * dayMs)) : 1;
  const perWeek = (count: number) => Math.round((count / weeks) * 100) / 100;
  return {
    unit: units[unit],
    fires: fires.map(({ firing, alreadyTrue, lowestAfter }) => ({
      observed_at: new Date(firing.observedAt).toISOString(),
      value: amountOf(firing.base),
      level: isPlain ? amountOf(firing.level) : null,
      baseline: amountOf(firing.baseline),
      already_true: alreadyTrue,
      lowest_after: lowestAfter && {
        observed_at: new Date(lowestAfter.at).toISOString(),
        value: amountOf(lowestAfter.value),
      },
      words: lowestAfter
        ? `${valueText(unit, firing.base)}; the lowest value afterwards was ${valueText(unit, lowestAfter.value)}`
        : valueText(unit, firing.base),
    })),
    count: fires.length,
    per_week: perWeek(fires.length),
    nearby: preview.nearby.map(({ amount, rule, count }) => ({
      ...{ amount, count },
      sentence: ruleSentence(rule),
      per_week: perWeek(count),
    })),
    from: covered && new Date(covered.from).toISOString(),
    to: covered && new Date(covered.through).toISOString(),
    snapshots: preview.snapshots,
    note: noteOn(preview),
  };
}

function noteOn({ snapshots, covered, isCut }: Preview): string {
  if (!covered) {
    return 'No snapshot of this event is stored for that time. Snapshots are stored from the moment that a watch exists. This preview cost no pull.';
  }
  const cut = isCut ? ` More than ${mostPreviewed} are stored; the oldest were left out.` : '';
  return `Evaluated ${snapshots} stored snapshots.${cut} Each is a refresh of the market, so a watch would have cost at most ${snapshots} pulls, fewer with a longer latency. This preview cost no pull.`;
}
