import { describe, expect, it } from 'vitest';
import type { Assumed } from '#infra/cost/assumed.ts';
import { type Load, monthlyCost, type Prices } from '#infra/cost/model.ts';
import { chooseSize, sizeWork } from '#infra/cost/sizing.ts';

const noPrices: Prices = {
  lambdaPerGbSecondArm: 0,
  lambdaPerMillionRequests: 0,
  sqsPerMillionRequests: 0,
  dynamoDbPerMillionReadUnits: 0,
  dynamoDbPerMillionWriteUnits: 0,
  dynamoDbPerGbMonth: 0,
  dynamoDbRecoveryPerGbMonth: 0,
  sesPerThousandMails: 0,
  schedulerPerMillionInvocations: 0,
  logsPerGb: 0,
  xrayPerMillionTraces: 0,
  alarmPerMonth: 0,
  compositeAlarmPerMonth: 0,
  customMetricPerMonth: 0,
  dashboardPerMonth: 0,
  secretPerMonth: 0,
  pull: 0,
};

const none = { readUnits: 0, writeUnits: 0 };
const idle = { memoryMb: 1_024, cpuMs: 0, waitMs: 0 };
const functions = {
  dispatch: idle,
  reconcile: idle,
  poll: idle,
  evaluate: idle,
  'send-email': idle,
};
const perBatch = { poll: 1, evaluate: 1, 'send-email': 1 };
const work = { idleTick: none, quietPoll: none, newsPoll: none, alert: none };
const measured = { ...work, functions, perBatch };
const assumed: Assumed = {
  callMs: 10,
  outboundMs: 100,
  logBytes: 0,
  snapshotBytes: 1_000,
  snapshotsKeptDays: 100,
  alarmMetrics: 10,
  compositeAlarms: 2,
  customMetrics: 0,
  secrets: 0,
  polledQueues: 6,
};
// 10,000 polls a day of 100 events, a tenth with news; 30.4 days a month.
const load: Load = {
  watches: 1_000,
  watchesPerEvent: 10,
  pollsPerEventPerDay: 100,
  newsShare: 0.1,
  alertsPerWatchPerMonth: 5,
};

function cost(prices: Partial<Prices>, over: Partial<typeof measured> = {}) {
  const terms = { measured: { ...measured, ...over }, assumed, prices: { ...noPrices, ...prices } };
  return monthlyCost(load, terms);
}

describe('the cost of a month', () => {
  it('has a pull for each poll with news', () => {
    expect(cost({ pull: 0.015 }).pulls).toBeCloseTo(456, 6);
  });

  it('has a mail for each alert', () => {
    expect(cost({ sesPerThousandMails: 0.1 }).mail).toBeCloseTo(0.5, 6);
  });

  it('counts each write twice, for the indexes', () => {
    const quietPoll = { ...none, writeUnits: 1 };
    const { dynamoDb } = cost({ dynamoDbPerMillionWriteUnits: 1 }, { quietPoll });
    expect(dynamoDb).toBeCloseTo(0.5472, 6);
  });

  it('counts three requests for each message, and the receives that bring nothing', () => {
    // 304,000 polls, 30,400 nudges and 5,000 deliveries are 1,018,200 requests; three queues stand idle for 656,640
    // receives each, and of the other three 516,327, 641,557 and 654,143 receives end empty.
    expect(cost({ sqsPerMillionRequests: 1 }).sqs).toBeCloseTo(4.800147, 6);
  });

  it('counts a batch once: three requests and one invocation', () => {
    const batches = { perBatch: { poll: 5, evaluate: 5, 'send-email': 5 } };
    expect(cost({ lambdaPerMillionRequests: 1 }, batches).lambda).toBeCloseTo(0.1641872, 6);
    const { sqs } = cost({ sqsPerMillionRequests: 1 }, batches);
    expect(sqs).toBeLessThan(cost({ sqsPerMillionRequests: 1 }).sqs);
    expect(sqs).toBeGreaterThan(1.0182 / 5);
  });

  it('keeps a snapshot of each refresh for its days', () => {
    expect(cost({ dynamoDbPerGbMonth: 1 }).dynamoDb).toBeCloseTo(0.1, 6);
  });

  it('bills a function by its memory, for its waits and its processor time', () => {
    const own = { ...functions, poll: { memoryMb: 512, cpuMs: 51.2, waitMs: 100 } };
    // 304,000 polls of 100 ms + 51.2 ms × 1,769 / 512, at half a gigabyte.
    const { lambda } = cost({ lambdaPerGbSecondArm: 1 }, { functions: own });
    expect(lambda).toBeCloseTo(42_088.8, 6);
  });

  it('traces one request a second, and a twentieth of the rest', () => {
    const { observability } = cost({ xrayPerMillionTraces: 1 });
    // 87,552 ticks, 8,755.2 reconciles, 339,400 messages: fewer than the seconds of the month.
    expect(observability).toBeCloseTo(0.4357072, 6);
  });

  it('has the alarms in the sum', () => {
    expect(cost({ alarmPerMonth: 0.1, compositeAlarmPerMonth: 0.5 }).aws).toBeCloseTo(2, 6);
  });
});

const prices = { lambdaPerGbSecondArm: 0.00001, lambdaPerMillionRequests: 0.2 };

describe('a function of some size', () => {
  it('computes longer with a smaller share of a processor, but waits equally long', () => {
    const work = { cpuMs: 100, waitMs: 50, peakRssMb: 100 };
    expect(sizeWork(work, 1_769, prices).durationMs).toBeCloseTo(150, 6);
    expect(sizeWork(work, 884.5, prices).durationMs).toBeCloseTo(250, 6);
    expect(sizeWork(work, 3_538, prices).durationMs).toBeCloseTo(150, 6);
  });

  it('costs its memory times its duration, and the request', () => {
    const work = { cpuMs: 0, waitMs: 100, peakRssMb: 100 };
    // 100,000 s × half a gigabyte, and a million requests.
    expect(sizeWork(work, 512, prices).dollarsPerMillion).toBeCloseTo(0.7, 6);
  });
});

describe('the size of a function', () => {
  it.each([
    ['that waits and is small', { cpuMs: 1, waitMs: 100, peakRssMb: 100 }, 256],
    ['whose peak would fill more than two thirds', { cpuMs: 1, waitMs: 100, peakRssMb: 171 }, 512],
    ['that computes more than half of its time', { cpuMs: 60, waitMs: 60, peakRssMb: 100 }, 1_024],
    ['that computes a third of its time', { cpuMs: 30, waitMs: 60, peakRssMb: 100 }, 512],
    ['that only computes', { cpuMs: 100, waitMs: 0, peakRssMb: 100 }, 1_024],
    ['that is larger than all', { cpuMs: 1, waitMs: 1, peakRssMb: 2_000 }, 1_769],
  ])('%s is the smallest that fits and is at most twice as slow', (_, work, memoryMb) => {
    expect(chooseSize(work)).toBe(memoryMb);
  });
});
