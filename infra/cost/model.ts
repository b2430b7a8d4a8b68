/**
 * The monthly cost of a deployment, from measured footprints, a load and a price list. Pure
 * arithmetic: reads no file and has no defaults.
 */

import type { Assumed } from './assumed.ts';
import { requestsOf } from './queues.ts';
import { durationAt } from './sizing.ts';

/** Read and write units of DynamoDB. */
export interface Footprint {
  readUnits: number;
  writeUnits: number;
}

/** The workers of the load, each with a queue of its own. */
export type LoadedWorker = 'poll' | 'evaluate' | 'send-email';

/** A function's resources for one message, tick or alert, at the function's memory. */
export interface FunctionWork {
  memoryMb: number;
  /** Processor time on a whole processor. */
  cpuMs: number;
  waitMs: number;
}

export interface Measured {
  /** One schedule firing with nothing due. */
  idleTick: Footprint;
  quietPoll: Footprint;
  /** A poll that brought a snapshot, including its evaluation. */
  newsPoll: Footprint;
  /** One alert to one channel. */
  alert: Footprint;
  functions: Record<'dispatch' | 'reconcile' | LoadedWorker, FunctionWork>;
  /** Messages of one invocation: 1 if each comes alone; the functions' work must be measured so. */
  perBatch: Record<LoadedWorker, number>;
}

export interface Load {
  watches: number;
  watchesPerEvent: number;
  pollsPerEventPerDay: number;
  /** Share of polls with a new snapshot, 0 to 1. */
  newsShare: number;
  alertsPerWatchPerMonth: number;
}

export interface Prices {
  lambdaPerGbSecondArm: number;
  lambdaPerMillionRequests: number;
  sqsPerMillionRequests: number;
  dynamoDbPerMillionReadUnits: number;
  dynamoDbPerMillionWriteUnits: number;
  dynamoDbPerGbMonth: number;
  dynamoDbRecoveryPerGbMonth: number;
  sesPerThousandMails: number;
  schedulerPerMillionInvocations: number;
  logsPerGb: number;
  xrayPerMillionTraces: number;
  /** Of each metric that an alarm reads. */
  alarmPerMonth: number;
  compositeAlarmPerMonth: number;
  customMetricPerMonth: number;
  dashboardPerMonth: number;
  secretPerMonth: number;
  /** Price of one pull in the marketplace's flat plan. */
  pull: number;
}

export interface MonthlyCost {
  dynamoDb: number;
  lambda: number;
  sqs: number;
  mail: number;
  observability: number;
  /** The sum of the above, and secrets and Scheduler. */
  aws: number;
  /** The marketplace's charge: every poll with news is a pull. */
  pulls: number;
}

const daysPerMonth = 30.4;
const secondsPerMonth = 86_400 * daysPerMonth;
/** Two kinds of feeds, each dispatched every minute. */
const ticksPerMonth = (2 * secondsPerMonth) / 60;
/** Every five minutes. */
const reconcilesPerMonth = secondsPerMonth / 300;
/** X-Ray traces one request a second, and of the rest this share, which can't be changed. */
const tracedShare = 0.05;
const million = 1_000_000;
const gigabyte = 1_000_000_000;
/** The table's writes, and as many again for the indexes, which copy whole items. */
const writesWithIndexes = 2;

/** @returns dollars a month */
export function monthlyCost(
  load: Load,
  { measured, assumed, prices }: { measured: Measured; assumed: Assumed; prices: Prices },
): MonthlyCost {
  const counts = countWork(load, measured.perBatch);
  const parts: [number, Footprint][] = [
    [ticksPerMonth, measured.idleTick],
    [counts.quietPolls, measured.quietPoll],
    [counts.newsPolls, measured.newsPoll],
    [counts.alerts, measured.alert],
  ];
  const sum = (name: keyof Footprint): number =>
    parts.reduce((total, [times, footprint]) => total + times * footprint[name], 0);
  const units = { reads: sum('readUnits'), writes: sum('writeUnits') };
  const dynamoDb = dynamoDbCost(counts, units, { assumed, prices });
  const lambda = lambdaCost(counts, measured.functions, prices);
  const requests = queueRequests(counts, measured.perBatch, assumed.polledQueues);
  const sqs = (requests * prices.sqsPerMillionRequests) / million;
  const mail = (counts.alerts * prices.sesPerThousandMails) / 1000;
  const observability = observabilityCost(counts, { assumed, prices });
  const rest =
    assumed.secrets * prices.secretPerMonth +
    (ticksPerMonth * prices.schedulerPerMillionInvocations) / million;
  const aws = dynamoDb + lambda + sqs + mail + observability + rest;
  return { dynamoDb, lambda, sqs, mail, observability, aws, pulls: counts.newsPolls * prices.pull };
}

interface Terms {
  assumed: Assumed;
  prices: Prices;
}

type Counts = ReturnType<typeof countWork>;

/** Of every queue; those without load are polled too. */
function queueRequests(
  { messages }: Counts,
  perBatch: Measured['perBatch'],
  polledQueues: number,
): number {
  const loaded = Object.entries(messages) as [LoadedWorker, number][];
  const requests = loaded.map(([name, count]) =>
    requestsOf({ messages: count, perBatch: perBatch[name] }, secondsPerMonth),
  );
  const idle = requestsOf({ messages: 0, perBatch: 1 }, secondsPerMonth);
  return requests.reduce((sum, one) => sum + one, (polledQueues - loaded.length) * idle);
}

function countWork(load: Load, perBatch: Measured['perBatch']) {
  const events = load.watches / load.watchesPerEvent;
  const polls = events * load.pollsPerEventPerDay * daysPerMonth;
  const newsPolls = polls * load.newsShare;
  const alerts = load.watches * load.alertsPerWatchPerMonth;
  // A message per poll, a nudge per news, a delivery per alert.
  const messages: Record<LoadedWorker, number> = {
    ...{ poll: polls, evaluate: newsPolls },
    'send-email': alerts,
  };
  const loaded = Object.entries(messages) as [LoadedWorker, number][];
  const batches = loaded.reduce((sum, [name, count]) => sum + count / perBatch[name], 0);
  const scheduled = ticksPerMonth + reconcilesPerMonth;
  return {
    newsPolls,
    quietPolls: polls - newsPolls,
    alerts,
    messages,
    unitsOfWork: scheduled + polls + newsPolls + alerts,
    invocations: scheduled + batches,
  };
}

function dynamoDbCost(
  { newsPolls }: Counts,
  units: { reads: number; writes: number },
  { assumed, prices }: Terms,
): number {
  const storedGb =
    ((newsPolls / daysPerMonth) * assumed.snapshotsKeptDays * assumed.snapshotBytes) / gigabyte;
  return (
    (units.reads * prices.dynamoDbPerMillionReadUnits) / million +
    (units.writes * writesWithIndexes * prices.dynamoDbPerMillionWriteUnits) / million +
    storedGb * (prices.dynamoDbPerGbMonth + prices.dynamoDbRecoveryPerGbMonth)
  );
}

function lambdaCost(
  { messages, invocations }: Counts,
  functions: Measured['functions'],
  prices: Prices,
): number {
  const times = {
    dispatch: ticksPerMonth,
    reconcile: reconcilesPerMonth,
    ...messages,
  };
  const gbSeconds = Object.entries(functions).reduce((total, [name, work]) => {
    const seconds = (times[name as keyof typeof times] * durationAt(work, work.memoryMb)) / 1000;
    return total + seconds * (work.memoryMb / 1024);
  }, 0);
  return (
    gbSeconds * prices.lambdaPerGbSecondArm +
    (invocations * prices.lambdaPerMillionRequests) / million
  );
}

function observabilityCost(
  { invocations, unitsOfWork }: Counts,
  { assumed, prices }: Terms,
): number {
  const beyondOneASecond = Math.max(0, invocations - secondsPerMonth);
  const traces = invocations - beyondOneASecond * (1 - tracedShare);
  return (
    ((unitsOfWork * assumed.logBytes) / gigabyte) * prices.logsPerGb +
    (traces * prices.xrayPerMillionTraces) / million +
    assumed.alarmMetrics * prices.alarmPerMonth +
    assumed.compositeAlarms * prices.compositeAlarmPerMonth +
    assumed.customMetrics * prices.customMetricPerMonth +
    prices.dashboardPerMonth
  );
}
