// The pull budget: past cost of polling, forecast, and the operator's limits.
import * as z from 'zod';
import type { BudgetSettings } from '#shared/dynamo/budget-shares.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { invalidFaults } from '../problem.ts';
import { type BudgetReport, createReadBudget, flatValue, type ReadBudget } from '../read-budget.ts';

const tag = 'Budget';

/** Smaller shares could not be stored exactly. */
const leastShare = 0.0001;
const shareSchema = z
  .number()
  .min(0)
  .max(1)
  .refine((share) => share === 0 || share >= leastShare, {
    error: `must be 0, or at least ${leastShare}`,
  });

/** All shares are in one table item, and an item is limited to 400 KB. */
const mostShares = 1_000;

const spanSchema = z.object({
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  cap: z.int(),
  spent: z.number().meta({ description: 'Pulls spent, including those of lost answers' }),
  reserved: z.number().meta({ description: 'Pulls reserved for calls in progress' }),
  left: z.number(),
  forecast: z
    .number()
    .meta({ description: 'Pulls spent at the end of the day or period, with the current watches' }),
  flat_value: z
    .number()
    .meta({ description: 'Dollar value of the pulls spent, at $0.015 a request' }),
});

const budgetJsonSchema = z
  .object({
    plan: z
      .string()
      .nullable()
      .meta({ description: 'tiered or flat; null before the account was read for the first time' }),
    day: spanSchema,
    period: spanSchema,
    pulls_left: z.number().meta({ description: 'Pulls that can be spent now under both caps' }),
    stretched: z
      .boolean()
      .meta({ description: 'Whether polls are spaced wider so that the caps last' }),
    paused_for: z
      .string()
      .nullable()
      .meta({ description: 'payment, authentication, subscription' }),
    events: z.array(
      z.object({
        event_id: z.int(),
        event_name: z.string().nullable(),
        spent_today: z.number(),
        spent_period: z.number(),
        forecast_period: z.number(),
        next_poll_at: z.iso.datetime().nullable(),
        next_poll_reason: z.string().nullable(),
      }),
    ),
    savings: z.array(
      z.object({
        event_id: z.int(),
        feed: z.string(),
        latency_seconds: z
          .int()
          .meta({ description: 'The latency that every watch of the event would have' }),
        pulls_saved: z.int().meta({ description: 'Until the billing period ends' }),
        flat_value: z.number(),
      }),
    ),
  })
  .meta({ id: 'Budget' });

const settingsSchema = z
  .strictObject({
    daily_cap: z.int().min(0).nullish(),
    monthly_cap: z.int().min(0).nullish(),
    owner_shares: z
      .record(idSchema('owner'), shareSchema)
      .refine((shares) => Object.keys(shares).length <= mostShares, {
        error: `must name at most ${groupThousands(mostShares)} owners`,
      })
      .optional()
      .meta({
        description: `The fraction of the daily cap that an owner’s watches may spend, by owner id; at most ${groupThousands(mostShares)} owners`,
        maxProperties: mostShares,
      }),
  })
  .meta({
    id: 'BudgetSettings',
    description: 'Caps lower than the deployment’s; null removes a cap',
  });

/** read, set. */
export function budgetOperations(deps: ApiDeps): Operation[] {
  const readBudget = createReadBudget(deps);
  return [readOperation(readBudget), settingsOperation(deps, readBudget)];
}

function readOperation(readBudget: ReadBudget) {
  return defineOperation({
    method: 'get',
    path: '/v1/budget',
    tag,
    summary: 'The pull budget',
    description:
      'Pulls spent, left and forecast by day, billing period and event, and the pulls that a longer latency would save.',
    access: 'admin',
    answer: { status: 200, description: 'The budget', schema: budgetJsonSchema },
    handle: async ({ now }) => ({ body: budgetJson(await readBudget(now)) }),
  });
}

function settingsOperation({ stores, pullCaps }: ApiDeps, readBudget: ReadBudget) {
  return defineOperation({
    method: 'put',
    path: '/v1/budget',
    tag,
    summary: 'Set lower caps and owners’ shares',
    description: 'The deployment’s own caps stay the upper limit. A cap that is absent is removed.',
    access: 'admin',
    body: settingsSchema,
    bodyExamples: { cap: { summary: 'A lower daily cap', value: { daily_cap: 100 } } },
    answer: { status: 200, description: 'The budget', schema: budgetJsonSchema },
    handle: async ({ body, now }) => {
      const faults = capFaults(body, pullCaps);
      if (faults.length > 0) throw invalidFaults(faults);
      const settings: BudgetSettings = {
        ownerShares: body.owner_shares ?? {},
        ...(body.daily_cap != null && { daily: body.daily_cap }),
        ...(body.monthly_cap != null && { monthly: body.monthly_cap }),
      };
      await stores.budget.keepSettings(settings);
      return { body: budgetJson(await readBudget(now)) };
    },
  });
}

/** A cap above the deployment's cap would have no effect, so it is refused. */
function capFaults(body: z.infer<typeof settingsSchema>, caps: Caps) {
  const over = (name: 'daily_cap' | 'monthly_cap', cap: number) => {
    const detail = `must be no more than the deployment's ${cap}`;
    return (body[name] ?? 0) > cap ? [{ pointer: `#/${name}`, detail }] : [];
  };
  return [...over('daily_cap', caps.daily), ...over('monthly_cap', caps.monthly)];
}

function budgetJson(report: BudgetReport): z.infer<typeof budgetJsonSchema> {
  return {
    plan: report.plan,
    day: spanJson(report.day, report.caps.daily),
    period: spanJson(report.period, report.caps.monthly),
    pulls_left: report.pullsLeft,
    stretched: report.isStretched,
    paused_for: report.pausedFor,
    events: report.events.map((event) => ({
      event_id: event.eventId,
      event_name: event.eventName,
      spent_today: event.spentToday,
      spent_period: event.spentPeriod,
      forecast_period: event.forecastPeriod,
      next_poll_at: event.nextPollAt === null ? null : timeOf(event.nextPollAt),
      next_poll_reason: event.nextReason,
    })),
    savings: report.savings.map(({ eventId, kind, latencySeconds, pulls }) => ({
      event_id: eventId,
      feed: kind,
      latency_seconds: latencySeconds,
      pulls_saved: pulls,
      flat_value: flatValue(pulls),
    })),
  };
}

function spanJson(span: BudgetReport['day'], cap: number): z.infer<typeof spanSchema> {
  return {
    start: timeOf(span.start),
    end: timeOf(span.end),
    cap,
    spent: span.spent,
    reserved: span.reserved,
    left: Math.max(0, cap - span.spent - span.reserved),
    forecast: span.forecast,
    flat_value: flatValue(span.spent),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
