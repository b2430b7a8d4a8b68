/**
 * The monthly cost of a deployment, from measured footprints, a load and a price list. Pure
 * arithmetic: reads no file and has no defaults.
 */

import type { Assumed } from './assumed.ts';
import { durationAt } from './sizing.ts';

/** Read and write units of DynamoDB. */
export interface Footprint {
  readUnits: number;
  writeUnits: number;
}

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
  functions: Record<'dispatch' | 'reconcile' | 'poll' | 'evaluate' | 'send-email', FunctionWork>;
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
  alarmPerMonth: number;
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
/** Send, receive and delete. */
const requestsPerMessage = 3;
/** The table's writes, and as many again for the indexes, which copy whole items. */
const writesWithIndexes = 2;

/** @returns dollars a month */
export function monthlyCost(
  load: Load,
  { measured, assumed, prices }: { measured: Measured; assumed: Assumed; prices: Prices },
): MonthlyCost {
  const counts = countWork(load);
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
  const sqs = (counts.messages * requestsPerMessage * prices.sqsPerMillionRequests) / million;
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

function countWork(load: Load) {
  const events = load.watches / load.watchesPerEvent;
  const polls = events * load.pollsPerEventPerDay * daysPerMonth;
  const newsPolls = polls * load.newsShare;
  const alerts = load.watches * load.alertsPerWatchPerMonth;
  return {
    polls,
    newsPolls,
    quietPolls: polls - newsPolls,
    alerts,
    // A message per poll, a nudge per news, a delivery per alert.
    messages: polls + newsPolls + alerts,
    invocations: ticksPerMonth + reconcilesPerMonth + polls + newsPolls + alerts,
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

/** As if each message came alone: batches cost less. */
function lambdaCost(
  { polls, newsPolls, alerts, invocations }: Counts,
  functions: Measured['functions'],
  prices: Prices,
): number {
  const times = {
    dispatch: ticksPerMonth,
    reconcile: reconcilesPerMonth,
    poll: polls,
    evaluate: newsPolls,
    'send-email': alerts,
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

function observabilityCost({ invocations }: Counts, { assumed, prices }: Terms): number {
  const beyondOneASecond = Math.max(0, invocations - secondsPerMonth);
  const traces = invocations - beyondOneASecond * (1 - tracedShare);
  return (
    ((invocations * assumed.logBytes) / gigabyte) * prices.logsPerGb +
    (traces * prices.xrayPerMillionTraces) / million +
    assumed.alarms * prices.alarmPerMonth +
    assumed.customMetrics * prices.customMetricPerMonth +
    prices.dashboardPerMonth
  );
}
