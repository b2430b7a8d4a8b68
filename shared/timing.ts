// Durations that the code and the stack must agree on: function timeouts, schedules, leases, request
// timeouts, queue delays. The base values are set here; every other value is derived from them, so that a
// longer timeout moves its lease along. infra/config.ts takes timeouts and schedules from here.

/** The functions by their names in infra/config.ts. */
export type TimedFunction =
  | 'api'
  | 'chart'
  | 'console'
  | 'dispatch'
  | 'poll'
  | 'evaluate'
  | 'sendEmail'
  | 'sendWebhook'
  | 'mailFeedback'
  | 'jobs'
  | 'reconcile';

/** The values that are chosen; all others follow from them. */
export interface BaseTiming {
  timeoutSeconds: Readonly<Record<TimedFunction, number>>;
  dispatchEveryMinutes: number;
  reconcileEveryMinutes: number;
}

export const usualTiming: BaseTiming = {
  timeoutSeconds: {
    api: 10,
    chart: 10,
    console: 10,
    dispatch: 50,
    poll: 60,
    evaluate: 60,
    sendEmail: 30,
    sendWebhook: 60,
    mailFeedback: 30,
    jobs: 60,
    reconcile: 60,
  },
  dispatchEveryMinutes: 1,
  reconcileEveryMinutes: 5,
};

const minuteMs = 60_000;

/** SQS delays a message by 15 minutes at most. */
export const longestQueueDelayMs = 15 * minuteMs;
/** Lambda stops a holder at its timeout, so a lease that is half as long again expires only after a crash. */
const leasePerTimeout = 1.5;
/** Tries of the AWS SDK for one call. */
const awsTries = 3;
/** Retries of a call to the marketplace, and the longest wait before each. A longer wait goes back to the queue. */
const marketplaceRetries = 2;
const marketplaceWaitMs = 2_000;
/** What poll keeps of its time for storing what the fetch brought. */
const storingMs = 20_000;

export type Timing = ReturnType<typeof deriveTiming>;

/** The whole table for these base values. infra/check-timing.ts judges whether they go together. */
export function deriveTiming(base: BaseTiming) {
  const { timeoutSeconds } = base;
  const { api, poll, evaluate, sendEmail, sendWebhook, reconcile, jobs } = timeoutSeconds;
  const reconcileEveryMs = base.reconcileEveryMinutes * minuteMs;
  return {
    ...base,
    ...apiTiming(api * 1_000),
    ...pollTiming(poll * 1_000),
    /** Only a crashed evaluation loses its lease. */
    evaluationLeaseMs: leaseOf(evaluate * 1_000),
    /** Time that evaluate keeps for the moves that it has begun. */
    evaluationReserveMs: (evaluate * 1_000) / 4,
    /** A snapshot that is stored for longer and not evaluated is late. */
    evaluatedWithinMs: 2 * evaluate * 1_000,
    /** Only a crashed sender loses its delivery, and its slot of the owner. */
    sendLeaseMs: leaseOf(Math.max(sendEmail, sendWebhook) * 1_000),
    /** Request timeout of SES: all tries of the SDK leave 6 s for reading and recording. */
    mailRequestTimeoutMs: (sendEmail * 1_000 - 6_000) / awsTries,
    /** Longest wait for a receiver's answer. */
    webhookTimeoutMs: (sendWebhook * 1_000) / 6,
    /** Only a crashed worker loses its job. */
    jobLeaseMs: leaseOf(jobs * 1_000),
    /** A worker begins no further lot of a job with less time left; a lot takes a few seconds. */
    jobReserveMs: (jobs * 1_000) / 3,
    dispatchEveryMs: base.dispatchEveryMinutes * minuteMs,
    reconcileEveryMs,
    /** Reconcile hands a notice over again when two runs have passed. */
    noticeAgainMs: 2 * reconcileEveryMs,
    /** Reconcile asks the marketplace's search once a run; a run may begin a little early. */
    askFactsEveryMs: reconcileEveryMs - minuteMs,
    /** For finding evaluations that lag; the other steps of reconcile have the rest of its time. */
    laggingMs: (reconcile * 1_000) / 3,
    /** For the download of the catalog; the other steps of reconcile have the rest of its time. */
    catalogMs: reconcile * 1_000 - 35_000,
  };
}

function apiTiming(timeoutMs: number) {
  return {
    /** A request that holds an idempotency key, or a claim of a new watch, is dead by then. */
    requestLeaseMs: leaseOf(timeoutMs),
    /** A change of a watch or of a quota that is older is no longer under way. */
    changeUnderWayMs: 6 * timeoutMs,
    /** What a request wrote before its watch is an orphan when the watch is still missing after this long. */
    orphanAfterMs: 90 * timeoutMs,
    /** An import begins no further rows after this long; the rest of its time is for those that it has begun. */
    importMs: (3 * timeoutMs) / 5,
    /** Longest wait for Telegram to take an answer of the bot. */
    botAnswerTimeoutMs: (3 * timeoutMs) / 10,
    /** Time for the API's calls to the marketplace. */
    apiMarketplaceMs: (3 * timeoutMs) / 5,
    /** Request timeout of the AWS SDK: all tries of a call fit into the shortest timeout, the API's. */
    awsRequestTimeoutMs: (timeoutMs - 1_000) / awsTries,
  };
}

function pollTiming(timeoutMs: number) {
  const fetchMs = timeoutMs - storingMs;
  const waitsMs = marketplaceRetries * marketplaceWaitMs;
  const claimLeaseMs = 5 * timeoutMs;
  return {
    storingMs,
    /** A call of a poll that began longer ago is over. */
    callMs: timeoutMs,
    /** A claimed feed is out of the due index for this long: its message may wait for four timeouts. */
    claimLeaseMs,
    /** An active feed that is due for longer was missed: even a lost claim has expired twice. */
    polledWithinMs: 2 * claimLeaseMs,
    /** A row of the ledger that is written so long after its day marks the day first; other rows are there by then. */
    ledgerLateMs: claimLeaseMs,
    /** A day, or a mark, is so old before the day is summed: the workers that wrote under it have ended. */
    ledgerSealMs: 3 * claimLeaseMs,
    marketplaceRetries,
    marketplaceWaitMs,
    /** Request timeout of the marketplace: all tries and the waits between them fit into a fetch. */
    marketplaceTimeoutMs: (fetchMs - waitsMs) / (1 + marketplaceRetries),
  };
}

function leaseOf(timeoutMs: number): number {
  return leasePerTimeout * timeoutMs;
}

/** AWS's advice: a message stays invisible for six timeouts of its function and the wait for a batch. */
export function visibilitySeconds(timeoutSeconds: number, batchingWindowSeconds: number): number {
  return 6 * timeoutSeconds + batchingWindowSeconds;
}

/** How long a queue keeps a message, days; a dead letter waits longer, for a person. */
export const retentionDays = { queue: 4, deadLetters: 14 };

/** The table of this release. */
export const timing: Timing = deriveTiming(usualTiming);
