import { describe, expect, it } from 'vitest';
import { type Assumed, type Load, monthlyCost, type Prices } from '#infra/cost/model.ts';

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
  alarmPerMonth: 0,
  customMetricPerMonth: 0,
  dashboardPerMonth: 0,
  secretPerMonth: 0,
  pull: 0,
};

const none = { readUnits: 0, writeUnits: 0, calls: 0 };
const measured = { idleTick: none, quietPoll: none, newsPoll: none, alert: none };
const assumed: Assumed = {
  memoryGb: 0.5,
  callMs: 10,
  outboundMs: 100,
  logBytes: 0,
  snapshotBytes: 1_000,
  snapshotsKeptDays: 100,
  alarms: 10,
  customMetrics: 0,
  secrets: 0,
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

  it('counts three requests for each message', () => {
    // 304,000 poll messages, 30,400 nudges, 5,000 deliveries.
    expect(cost({ sqsPerMillionRequests: 1 }).sqs).toBeCloseTo(1.0182, 6);
  });

  it('keeps a snapshot of each refresh for its days', () => {
    expect(cost({ dynamoDbPerGbMonth: 1 }).dynamoDb).toBeCloseTo(0.1, 6);
  });

  it('bills a function for what it waits', () => {
    const alert = { ...none, calls: 20 };
    // 5,000 × 200 ms of calls, 309,000 × 100 ms of answers, half a gigabyte.
    expect(cost({ lambdaPerGbSecondArm: 1 }, { alert }).lambda).toBeCloseTo(15_950, 6);
  });

  it('has the alarms in the sum', () => {
    expect(cost({ alarmPerMonth: 0.1 }).aws).toBeCloseTo(1, 6);
  });
});
