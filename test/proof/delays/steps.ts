/** Durations of the steps between refresh and receipt, as percentiles. Pure. */
import { quantile } from '#test/support/quantile.ts';
import type { stations, Trace } from './trace.ts';

type Station = (typeof stations)[number];

interface Step {
  name: string;
  from: Station;
  to: Station;
}

/** The first is waiting: for the feed's turn and the next slot of the schedule. The others are work. */
const steps: readonly Step[] = [
  { name: 'waiting for its poll', from: 'refreshed', to: 'dispatched' },
  { name: 'poll queue', from: 'dispatched', to: 'pollStarted' },
  { name: 'poll', from: 'pollStarted', to: 'nudged' },
  { name: 'evaluate queue', from: 'nudged', to: 'evaluateStarted' },
  { name: 'evaluate', from: 'evaluateStarted', to: 'fired' },
  { name: 'raise and group', from: 'fired', to: 'queued' },
  { name: 'send queue', from: 'queued', to: 'sendStarted' },
  { name: 'send', from: 'sendStarted', to: 'received' },
  { name: 'all work, dispatch to receipt', from: 'dispatched', to: 'received' },
  { name: 'refresh to receipt', from: 'refreshed', to: 'received' },
];

/** Milliseconds. */
export interface StepDelay {
  step: string;
  p50: number;
  p95: number;
  p99: number;
}

export function delaysOf(traces: readonly Trace[]): StepDelay[] {
  return steps.map(({ name, from, to }) => {
    const took = traces.map((trace) => trace[to] - trace[from]);
    const at = (q: number) => Math.round(quantile(took, q));
    return { step: name, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  });
}
