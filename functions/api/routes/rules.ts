// Rule preview: when a rule would have fired on the stored snapshots.
import * as z from 'zod';
import { metricsFeed } from '#shared/polling/feed-kinds.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { spellZones } from '#shared/rules/language/zone-names.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { latencySchema } from '#shared/watchlist/defaults-request.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import { usualLatencySeconds } from '#shared/watchlist/owner-defaults.ts';
import { maxRulesPerWatch } from '#shared/watchlist/watch-request.ts';
import type { ApiDeps } from '../api-deps.ts';
import { requireScope } from '../conventions/scope.ts';
import { exampleIds } from '../document/example-ids.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults } from '../problem.ts';
import { zoneFaults } from '../watches/check-watch.ts';
import { eventFieldsJson } from '../watches/event-fields.ts';
import { forecastJson } from '../watches/forecast-json.ts';
import { createReadForecast } from '../watches/forecast-watch.ts';
import { previewJson } from '../watches/preview-json.ts';
import { createPreviewRule, feedOfRule } from '../watches/preview-rule.ts';
import { previewJsonSchema } from '../watches/preview-schema.ts';
import type { WatchlistUse } from '../watches/watchlist-use.ts';

const dayMs = 86_400_000;
/** As long as rollups are kept; raw snapshots are kept for 90 days. */
const longestMs = 2 * 365 * dayMs;
const usualMs = 30 * dayMs;

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-03-01T12:00:00Z' });

const previewSchema = z
  .strictObject({
    event_id: z.int().positive(),
    rule: ruleSchema,
    from: time.optional().meta({ description: 'Default: 30 days before `to`' }),
    to: time.optional().meta({ description: 'Default: now' }),
    aim: z
      .strictObject({ per_week: z.number().min(0.1).max(100) })
      .optional()
      .meta({
        description:
          'Wished number of alerts a week: `suggested` is the amount whose number comes nearest',
      }),
    as_delivered: z.boolean().default(false).meta({
      description: 'Also say when each alert would have been sent, by your quiet hours and digest',
    }),
    buy_history: z.boolean().default(false).meta({
      description:
        'First buy the event’s prices since `from`: at most one pull of your budget. Needs a key with scope write. Not for rules on listings, whose history the marketplace doesn’t have.',
    }),
    latency_seconds: latencySchema.default(usualLatencySeconds).meta({
      description: 'The latency of the watch, for its cost in pulls',
    }),
    watch_id: idSchema('watch').optional().meta({
      description:
        'Your watch that has the rule already, or is to have it: `forecast` then counts its present polls as its own, not as those of another watch',
    }),
    other_rules: z
      .array(ruleSchema)
      .max(maxRulesPerWatch - 1)
      .default([])
      .meta({ description: 'The other rules of the same watch, for `forecast` only' }),
  })
  .meta({ id: 'PreviewRequest' });

/** `POST /v1/rules/preview`. */
export function ruleOperations(deps: ApiDeps, { owned, presentState }: WatchlistUse): Operation[] {
  const previewRule = createPreviewRule(deps);
  const readForecast = createReadForecast(deps);
  return [
    defineOperation({
      method: 'post',
      path: '/v1/rules/preview',
      tag: 'Rules',
      summary: 'When a rule would have fired',
      description:
        'Evaluates a rule on the stored snapshots of an event and saves nothing. It causes no poll and costs nothing, except with `buy_history`: without it, `note` says first what buying would cost.',
      access: 'read',
      refusals: [404, 409, 503],
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
      handle: async ({ body, now, ownerId, context }) => {
        const through = body.to === undefined ? now : Date.parse(body.to);
        const from = body.from === undefined ? through - usualMs : Date.parse(body.from);
        const zones = await presentState.zones(body.event_id);
        const faults = zoneFaults([body.rule], zones, Number.NEGATIVE_INFINITY).map((fault) => ({
          ...fault,
          pointer: fault.pointer.replace('#/rules/0', '#/rule'),
        }));
        if (from >= through || through - from > longestMs) {
          faults.push({ pointer: '#/from', detail: 'must be before `to`, by at most 730 days' });
        }
        const isForSale = feedOfRule(body.rule) === metricsFeed;
        if (body.buy_history && !isForSale) {
          faults.push({
            pointer: '#/buy_history',
            detail: 'is not for rules on listings; the marketplace has no history of them',
          });
        }
        if (faults.length > 0) throw invalidFaults(faults);
        if (body.buy_history) requireScope(context, 'write');
        const { event_id: eventId, aim, latency_seconds, watch_id: watchId } = body;
        if (watchId !== undefined) await owned(watchId, ownerId);
        const rule = spellZones(body.rule, zones);
        const times = body.as_delivered
          ? hearingTimesOf(await deps.stores.access.findOwner(ownerId))
          : undefined;
        const request = { eventId, ownerId, from, through, now };
        const bought = body.buy_history ? await deps.buyHistory(request) : undefined;
        const options = { aimPerWeek: aim?.per_week, times, latencyMs: latency_seconds * 1_000 };
        const preview = await previewRule(
          { eventId, rule, from, through, ...options, ...(bought && { bought: bought.snapshots }) },
          now,
        );
        const purchase = { bought, isForSale, from };
        const watch = {
          ...({ status: 'active', latencySeconds: latency_seconds } as const),
          rules: [rule, ...body.other_rules].map((each) => ({
            ...{ ruleId: '', rule: each, triggerIds: [] },
          })),
          ...(watchId !== undefined && { watchId }),
        };
        const forecast = forecastJson(await readForecast(eventId), watch, now);
        const json = previewJson(preview, purchase);
        const event = eventFieldsJson(eventId, await deps.stores.eventFacts.find(eventId));
        return { body: { ...event, sentence: ruleSentence(rule), ...json, forecast } };
      },
    }),
  ];
}
