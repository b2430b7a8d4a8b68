// The pull budget as JSON: what is spent, reserved, left and forecast, and the settings that limit it.
import * as z from 'zod';
import { eventFields, eventFieldsJson } from '../watches/event-fields.ts';
import { whySchema } from '../watches/next-poll-why.ts';
import { type BudgetReport, flatValue } from './read-budget.ts';

const capSchema = z
  .int()
  .nullable()
  .meta({ description: 'null: the deployment’s own cap applies' });

const settingsJsonSchema = z
  .object({
    daily_cap: capSchema,
    monthly_cap: capSchema,
    owner_shares: z.record(z.string(), z.number()).meta({
      description: 'The fraction of the daily cap that an owner’s watches may spend, by owner id',
    }),
    deployed_daily_cap: z.int().meta({ description: 'The deployment’s own cap: the upper limit' }),
    deployed_monthly_cap: z.int(),
  })
  .meta({
    id: 'CurrentBudgetSettings',
    description: 'What PATCH and PUT set, and the deployment’s own caps; the ETag is its version',
  });

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
  demand: z.number().meta({
    description:
      'Pulls that the watches would have spent by the end of the day or period at their latencies, without any cap. What is above `cap` comes later than wished or not at all.',
  }),
  flat_value: z
    .number()
    .meta({ description: 'Dollar value of the pulls spent, at $0.015 a request' }),
});

/** A budget as the API shows it. */
export const budgetJsonSchema = z
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
        ...eventFields,
        spent_today: z.number(),
        spent_period: z.number(),
        forecast_period: z.number(),
        next_poll_at: z.iso.datetime().nullable(),
        next_poll_reason: z.string().nullable(),
        next_poll_why: whySchema,
      }),
    ),
    settings: settingsJsonSchema,
    savings: z.array(
      z.object({
        ...eventFields,
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

/** The report as JSON. */
export function budgetJson(report: BudgetReport): z.infer<typeof budgetJsonSchema> {
  return {
    plan: report.plan,
    day: spanJson(report.day, report.caps.daily),
    period: spanJson(report.period, report.caps.monthly),
    pulls_left: report.pullsLeft,
    stretched: report.isStretched,
    paused_for: report.pausedFor,
    events: report.events.map((event) => ({
      ...eventFieldsJson(event.eventId, event.facts),
      spent_today: event.spentToday,
      spent_period: event.spentPeriod,
      forecast_period: event.forecastPeriod,
      next_poll_at: event.nextPollAt === null ? null : timeOf(event.nextPollAt),
      next_poll_reason: event.nextReason,
      next_poll_why: event.nextWhy,
    })),
    settings: settingsJson(report),
    savings: report.savings.map(({ eventId, kind, latencySeconds, pulls, facts }) => ({
      ...eventFieldsJson(eventId, facts),
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
    demand: span.demand,
    flat_value: flatValue(span.spent),
  };
}

function settingsJson({ settings, deployed }: BudgetReport): z.infer<typeof settingsJsonSchema> {
  return {
    daily_cap: settings.daily ?? null,
    monthly_cap: settings.monthly ?? null,
    owner_shares: settings.ownerShares,
    deployed_daily_cap: deployed.daily,
    deployed_monthly_cap: deployed.monthly,
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
