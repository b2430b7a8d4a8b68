/**
 * What a deployment costs a month, from measured footprints, a load and a price list. Plain
 * arithmetic: it reads no file and knows no default.
 */

/** Read and write units of DynamoDB, and calls to it. */
export interface Footprint {
  readUnits: number;
  writeUnits: number;
  calls: number;
}

export interface Measured {
  /** One schedule firing with nothing due. */
  idleTick: Footprint;
  quietPoll: Footprint;
  /** A poll that brought a snapshot, its evaluation included. */
  newsPoll: Footprint;
  /** One alert to one channel. */
  alert: Footprint;
}

export interface Load {
  watches: number;
  watchesPerEvent: number;
  pollsPerEventPerDay: number;
  /** Of the polls, 0 to 1. */
  newsShare: number;
  alertsPerWatchPerMonth: number;
}

/** What is assumed where nothing here can measure it. */
export interface Assumed {
  memoryGb: number;
  /** Milliseconds that a function waits for one DynamoDB call, and for the marketplace or a receiver. */
  callMs: number;
  outboundMs: number;
  /** Bytes of log a unit of work writes, and of a stored snapshot. */
  logBytes: number;
  snapshotBytes: number;
  snapshotsKeptDays: number;
  alarms: number;
  customMetrics: number;
  secrets: number;
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
const ticksPerMonth = 2 * 60 * 24 * daysPerMonth;
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
  const units = { reads: sum('readUnits'), writes: sum('writeUnits'), calls: sum('calls') };
  const dynamoDb = dynamoDbCost(counts, units, { assumed, prices });
  const lambda = lambdaCost(counts, units, { assumed, prices });
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
    invocations: ticksPerMonth + polls + newsPolls + alerts,
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
  { polls, alerts, invocations }: Counts,
  { calls }: { calls: number },
  { assumed, prices }: Terms,
): number {
  const ms = calls * assumed.callMs + (polls + alerts) * assumed.outboundMs;
  return (
    (ms / 1000) * assumed.memoryGb * prices.lambdaPerGbSecondArm +
    (invocations * prices.lambdaPerMillionRequests) / million
  );
}

function observabilityCost({ invocations }: Counts, { assumed, prices }: Terms): number {
  return (
    ((invocations * assumed.logBytes) / gigabyte) * prices.logsPerGb +
    assumed.alarms * prices.alarmPerMonth +
    assumed.customMetrics * prices.customMetricPerMonth +
    prices.dashboardPerMonth
  );
}
