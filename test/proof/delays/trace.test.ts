// An alert's path is joined from the log events of the functions that it passed.
import { describe, expect, it } from 'vitest';
import { delaysOf } from './steps.ts';
import { TraceLog } from './trace.ts';

const polled = {
  message: 'poll.finished',
  eventId: 7,
  newSnapshots: 1,
  newestAt: 1_000,
  dispatchedAt: 31_000,
  startedAt: 31_010,
};
const evaluated = {
  message: 'evaluate.finished',
  eventId: 7,
  nudgedAt: 31_100,
  startedAt: 31_105,
  function_request_id: 'run-1',
};
const fired = {
  message: 'alert.fired',
  alertId: 'alt_1',
  eventId: 7,
  observedAt: 1_000,
  firedAt: 31_150,
  function_request_id: 'run-1',
};
const sent = {
  message: 'delivery.attempted',
  outcome: 'sent',
  purpose: 'alert',
  alertId: 'alt_1',
  channelKind: 'webhook',
  queuedAt: 31_200,
  startedAt: 31_210,
};

/** A log of these events, all received at 31,300, with one webhook received at 31,250. */
function aLog(entries: { message: string }[]) {
  const log = new TraceLog();
  for (const entry of entries) log.read(entry, 31_300);
  log.receive('alt_1', 31_250);
  return log;
}

describe("an alert's way", () => {
  it('has the time of every station', () => {
    expect(aLog([polled, fired, evaluated, sent]).traces(0)).toEqual([
      {
        refreshed: 1_000,
        dispatched: 31_000,
        pollStarted: 31_010,
        nudged: 31_100,
        evaluateStarted: 31_105,
        fired: 31_150,
        queued: 31_200,
        sendStarted: 31_210,
        received: 31_250,
      },
    ]);
  });

  it('goes by the first poll that brought its snapshot, not by a later or an empty one', () => {
    const later = { ...polled, newestAt: 61_000, dispatchedAt: 61_000, startedAt: 61_010 };
    const empty = { ...polled, newSnapshots: 0, startedAt: 20_000 };
    const [trace] = aLog([later, empty, polled, fired, evaluated, sent]).traces(0);
    expect(trace?.pollStarted).toBe(31_010);
  });

  it('goes by the evaluation that fired it, not by another of its event', () => {
    const another = { ...evaluated, function_request_id: 'run-0', startedAt: 31_101 };
    const [trace] = aLog([polled, another, fired, evaluated, sent]).traces(0);
    expect(trace?.evaluateStarted).toBe(31_105);
  });

  it('takes no time at a station that an earlier run had passed already', () => {
    const early = { ...evaluated, nudgedAt: 30_000, startedAt: 30_500 };
    const [trace] = aLog([polled, fired, early, sent]).traces(0);
    expect(trace).toMatchObject({ pollStarted: 31_010, nudged: 31_010, evaluateStarted: 31_010 });
  });

  it('of a mail ends when it was taken', () => {
    const log = new TraceLog();
    const mail = { ...sent, channelKind: 'email' };
    for (const entry of [polled, fired, evaluated, mail]) log.read(entry, 31_300);
    expect(log.traces(0)[0]?.received).toBe(31_300);
  });

  it('is not made up where a station is missing, or from before the time asked for', () => {
    expect(aLog([polled, fired, sent]).traces(0)).toEqual([]);
    expect(aLog([polled, fired, evaluated, sent]).traces(1_001)).toEqual([]);
  });
});

describe('the delays', () => {
  it('are percentiles of each step, with the waiting apart from the work', () => {
    const base = {
      refreshed: 0,
      dispatched: 30_000,
      pollStarted: 30_010,
      nudged: 30_060,
      evaluateStarted: 30_065,
      fired: 30_080,
      queued: 30_100,
      sendStarted: 30_105,
    };
    const traces = Array.from({ length: 100 }, (_, index) => ({
      ...base,
      received: 30_106 + index,
    }));
    const delays = Object.fromEntries(delaysOf(traces).map(({ step, ...rest }) => [step, rest]));
    expect(delays['waiting for its poll']).toEqual({ p50: 30_000, p95: 30_000, p99: 30_000 });
    expect(delays.poll).toEqual({ p50: 50, p95: 50, p99: 50 });
    expect(delays.send).toEqual({ p50: 51, p95: 96, p99: 100 });
    expect(delays['all work, dispatch to receipt']).toEqual({ p50: 156, p95: 201, p99: 205 });
  });
});
