// What a measurement prints.
import * as z from 'zod';

export const runSchema = z.object({
  /** Waits at AWS's latencies and processor time together, as one invocation on one processor takes. */
  seconds: z.number(),
  waitedSeconds: z.number(),
  /** Of all threads, without the simulation. */
  cpuSeconds: z.number(),
  /** The largest heap that was seen. */
  heapMb: z.number(),
  requests: z.number(),
  readUnits: z.number(),
  writeUnits: z.number(),
  /** Requests that a partition refused, and the SDK sent again. */
  throttled: z.number(),
});
export type Run = z.infer<typeof runSchema>;

/** One refresh that reaches every trigger of an event, until the last alert is raised. */
export const hotEventSchema = z.object({
  alerts: z.number(),
  /** From the message of the evaluate queue on: waits at AWS's latencies, and computing on a processor for each invocation. */
  seconds: z.number(),
  cpuSeconds: z.number(),
  /** To DynamoDB. */
  requests: z.number(),
  requestsPerAlert: z.number(),
  writeUnits: z.number(),
  throttled: z.number(),
  invocations: z.number(),
  /** The most invocations at once. */
  atOnce: z.number(),
});
export type HotEvent = z.infer<typeof hotEventSchema>;

export const measuredSchema = z.object({
  /** One run of reconcile after the other, five minutes apart, each with the hourly check. */
  runs: z.array(runSchema),
  /** Absent for a new release: until the closed days are added up, their rows are read. */
  budget: runSchema.optional(),
  /** Steps of reconcile that failed. */
  failed: z.array(z.string()),
});
export type Measured = z.infer<typeof measuredSchema>;
