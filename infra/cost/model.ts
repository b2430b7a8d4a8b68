/**
 * What a deployment costs a month, from measured footprints, a load and a price list. Plain
 * arithmetic: it reads no file and knows no default.
 */

import type { Assumed } from './assumed.ts';
import { durationAt } from './sizing.ts';

/** Read and write units of DynamoDB. */
export interface Footprint {
  readUnits: number;
  writeUnits: number;
}

/** What one message, tick or alert takes of a function, at the memory that the function has. */
export interface FunctionWork {
  memoryMb: number;
  /** On a whole processor. */
  cpuMs: number;
  waitMs: number;
}

export interface Measured {
  /** One schedule firing with nothing due. */
  idleTick: Footprint;
  quietPoll: Footprint;
  /** A poll that brought a snapshot, its evaluation included. */
  newsPoll: Footprint;
  /** One alert to one channel. */
  alert: Footprint;
  functions: Record<'dispatch' | 'reconcile' | 'poll' | 'evaluate' | 'send-email', FunctionWork>;
}

export interface Load {
  watches: number;
  watchesPerEvent: number;
  pollsPerEventPerDay: number;
  /** Of the polls, 0 to 1. */
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
  /** A pull of the marketplace's flat plan. */
  pull: number;
}

export interface MonthlyCost {
  dynamoDb: number;
  lambda: number;
  sqs: number;
  mail: number;
  observability: number;
  /** All of the above, and the small rest. */
  aws: number;
  /** What the marketplace takes: every poll with news is a pull. */
  pulls: number;
}

const daysPerMonth = 30.4;
const secondsPerMonth = 86_400 * daysPerMonth;
/** Two kinds of feeds, every minute. */
const ticksPerMonth = (2 * secondsPerMonth) / 60;
/** Every five minutes. */
const reconcilesPerMonth = secondsPerMonth / 300;
/** Lambda traces one request a second, and of the rest a share that can't be set. */
const tracedShare = 0.05;
const million = 1_000_000;
const gigabyte = 1_000_000_000;
/** Send, receive and delete. */
const requestsPerMessage = 3;
/** The table's own, and as much again for the indexes that whole items are copied to. */
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
    // A poll message each, a nudge for news, a delivery for an alert.
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

/** As if each message came alone: a batch takes less. */
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
