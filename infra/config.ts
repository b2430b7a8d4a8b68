/**
 * Every size, cap and retention of the stack in one validated value per stage. Numbers only: the constructs
 * apply them. Timeouts and schedules come from shared/timing.ts, because leases in the code depend on them.
 */
import * as z from 'zod';
import { timing } from '#shared/timing.ts';

export const stageSchema = z.enum(['dev', 'prod']);
export type Stage = z.infer<typeof stageSchema>;

const functionSizeSchema = z.strictObject({
  /**
   * Memory also sets the share of a processor. test/proof/bench/memory.ts chooses it:
   * infra/README.md, Memory.
   */
  memoryMb: z.int().min(128).max(10_240),
  timeoutSeconds: z.int().min(1).max(900),
});

/** A function that a caller or a schedule invokes: limited by reserved concurrency. */
const invokedFunctionSchema = functionSizeSchema.extend({
  reservedConcurrency: z.int().min(1),
});

/** A function behind the HTTP API: also limited in requests a second, and their burst. */
const httpFunctionSchema = invokedFunctionSchema.extend({
  throttleRate: z.int().min(1),
  throttleBurst: z.int().min(1),
});

/** Requests a second to one route, and their burst. */
const routeLimitSchema = z.strictObject({
  throttleRate: z.int().min(1),
  throttleBurst: z.int().min(1),
});

/** A function that a queue feeds: limited by the event source (AWS allows 2 to 1,000). */
const workerSchema = functionSizeSchema.extend({
  batchSize: z.int().min(1).max(10),
  batchingWindowSeconds: z.int().min(0).max(300),
  maxConcurrency: z.int().min(2).max(1000),
  maxReceiveCount: z.int().min(5),
  /** Age of the oldest message above which the alarm rings. */
  oldestMessageSeconds: z.int().min(60),
});

/** Values at which alarms ring; infra/README.md has a runbook line for each. */
const alarmThresholdsSchema = z.strictObject({
  pollLagSeconds: z.int().min(60),
  alertDelaySeconds: z.int().min(60),
  /** Forecast use of the pull cap by the end of its period. */
  budgetForecastPercent: z.int().min(50).max(200),
  marketplaceErrorPercent: z.int().min(1).max(100),
  /** Amazon reviews an account at 5 % and pauses its sending around 10 %. */
  bouncePercent: z.number().positive().max(10),
  /** Amazon reviews an account at 0.1 % and pauses its sending around 0.5 %. */
  complaintPercent: z.number().positive().max(0.5),
  apiLatencyMs: z.int().min(100),
  /** Executions that the account has reserved or in use; a new account has 1,000. */
  claimedConcurrency: z.int().min(100),
});

/** The service level of alerts whose feed could be polled in time: infra/README.md, Service level. */
const alertPromiseSchema = z.strictObject({
  withinSeconds: z.int().min(60),
  /** Of the alerts that are promised. */
  percent: z.number().min(50).max(99.999),
});

export const stackConfigSchema = z.strictObject({
  stage: stageSchema,
  logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  logRetentionDays: z.union([z.literal(7), z.literal(30), z.literal(90)]),
  /** Keep tables, secrets and logs when the stack is deleted, and protect tables from deletion. */
  keepData: z.boolean(),
  pollEveryMinutes: z.int().min(1),
  reconcileEveryMinutes: z.int().min(1),
  /** Its throttle is for the whole stage. */
  api: httpFunctionSchema,
  /** The throttle of each route of the API that opens without a key. */
  links: routeLimitSchema,
  /** Its throttle is for its own route. */
  chart: httpFunctionSchema,
  /** Its throttle is for each of its routes. */
  console: httpFunctionSchema,
  dispatch: invokedFunctionSchema,
  reconcile: invokedFunctionSchema,
  poll: workerSchema,
  evaluate: workerSchema,
  sendEmail: workerSchema,
  sendWebhook: workerSchema,
  mailFeedback: workerSchema,
  jobs: workerSchema,
  alarms: alarmThresholdsSchema,
  alertPromise: alertPromiseSchema,
});

export type StackConfig = z.infer<typeof stackConfigSchema>;
export type FunctionSize = z.infer<typeof functionSizeSchema>;
export type WorkerSize = z.infer<typeof workerSchema>;

const { timeoutSeconds } = timing;

const dev: StackConfig = {
  stage: 'dev',
  logLevel: 'INFO',
  logRetentionDays: 7,
  keepData: false,
  pollEveryMinutes: timing.dispatchEveryMinutes,
  reconcileEveryMinutes: timing.reconcileEveryMinutes,
  api: {
    memoryMb: 512,
    timeoutSeconds: timeoutSeconds.api,
    reservedConcurrency: 10,
    throttleRate: 20,
    throttleBurst: 40,
  },
  links: { throttleRate: 10, throttleBurst: 20 },
  chart: {
    memoryMb: 1024,
    timeoutSeconds: timeoutSeconds.chart,
    reservedConcurrency: 5,
    throttleRate: 20,
    throttleBurst: 40,
  },
  console: {
    memoryMb: 256,
    timeoutSeconds: timeoutSeconds.console,
    reservedConcurrency: 5,
    throttleRate: 20,
    throttleBurst: 60,
  },
  dispatch: { memoryMb: 1024, timeoutSeconds: timeoutSeconds.dispatch, reservedConcurrency: 2 },
  reconcile: { memoryMb: 512, timeoutSeconds: timeoutSeconds.reconcile, reservedConcurrency: 1 },
  poll: {
    memoryMb: 512,
    timeoutSeconds: timeoutSeconds.poll,
    batchSize: 5,
    batchingWindowSeconds: 0,
    maxConcurrency: 4,
    maxReceiveCount: 8,
    oldestMessageSeconds: 120,
  },
  evaluate: {
    memoryMb: 1024,
    timeoutSeconds: timeoutSeconds.evaluate,
    batchSize: 5,
    batchingWindowSeconds: 0,
    maxConcurrency: 4,
    maxReceiveCount: 5,
    oldestMessageSeconds: 120,
  },
  sendEmail: {
    memoryMb: 1024,
    timeoutSeconds: timeoutSeconds.sendEmail,
    batchSize: 5,
    batchingWindowSeconds: 0,
    maxConcurrency: 2,
    maxReceiveCount: 5,
    oldestMessageSeconds: 1800,
  },
  // Small batches and high concurrency: a slow receiver delays its whole batch, and one owner may
  // use six batches at once.
  sendWebhook: {
    memoryMb: 512,
    timeoutSeconds: timeoutSeconds.sendWebhook,
    batchSize: 2,
    batchingWindowSeconds: 0,
    maxConcurrency: 10,
    maxReceiveCount: 5,
    oldestMessageSeconds: 1800,
  },
  mailFeedback: {
    memoryMb: 1024,
    timeoutSeconds: timeoutSeconds.mailFeedback,
    batchSize: 10,
    batchingWindowSeconds: 5,
    maxConcurrency: 2,
    maxReceiveCount: 5,
    oldestMessageSeconds: 600,
  },
  // One job at a time, because each fills the whole time of an invocation.
  jobs: {
    memoryMb: 1024,
    timeoutSeconds: timeoutSeconds.jobs,
    batchSize: 1,
    batchingWindowSeconds: 0,
    maxConcurrency: 2,
    maxReceiveCount: 5,
    oldestMessageSeconds: 1800,
  },
  alarms: {
    pollLagSeconds: 180,
    alertDelaySeconds: 600,
    budgetForecastPercent: 100,
    marketplaceErrorPercent: 20,
    bouncePercent: 5,
    complaintPercent: 0.1,
    apiLatencyMs: 3000,
    claimedConcurrency: 800,
  },
  alertPromise: { withinSeconds: 120, percent: 99.9 },
};

const prod: StackConfig = {
  ...dev,
  stage: 'prod',
  logRetentionDays: 30,
  keepData: true,
  api: { ...dev.api, reservedConcurrency: 50, throttleRate: 100, throttleBurst: 200 },
  links: { throttleRate: 50, throttleBurst: 100 },
  chart: { ...dev.chart, reservedConcurrency: 20, throttleRate: 50, throttleBurst: 100 },
  console: { ...dev.console, reservedConcurrency: 10, throttleRate: 50, throttleBurst: 150 },
  poll: { ...dev.poll, maxConcurrency: 10 },
  evaluate: { ...dev.evaluate, maxConcurrency: 20 },
  sendEmail: { ...dev.sendEmail, maxConcurrency: 5 },
  sendWebhook: { ...dev.sendWebhook, maxConcurrency: 50 },
  jobs: { ...dev.jobs, maxConcurrency: 10 },
};

const presets: Record<Stage, StackConfig> = { dev, prod };

/**
 * The preset of a stage (`cdk synth -c stage=prod`).
 *
 * @throws Error naming what was given and what is allowed, for an unknown stage.
 */
export function configFor(stage: unknown): StackConfig {
  const known = stageSchema.safeParse(stage ?? 'dev');
  if (!known.success) {
    throw new Error(
      `Unknown stage ${JSON.stringify(stage)}: give -c stage=${stageSchema.options.join(' or -c stage=')}.`,
    );
  }
  return stackConfigSchema.parse(presets[known.data]);
}
