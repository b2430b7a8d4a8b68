/**
 * Checks that the durations of shared/timing.ts fit together and that a stack's config has them. Synthesis
 * fails otherwise, with what to change.
 */
import {
  type BaseTiming,
  longestQueueDelayMs,
  retentionDays,
  type TimedFunction,
  timing,
  visibilitySeconds,
} from '#shared/timing.ts';
import type { StackConfig } from './config.ts';

/** API Gateway answers 503 when the function of an HTTP API takes this long. */
const gatewayTimeoutSeconds = 30;
/** The shortest `latency_seconds` of a watch. */
const shortestLatencySeconds = 60;

type Rule = [holds: boolean, sentence: string];

/** @throws Error with a sentence for each pair of values that don't fit together. */
export function checkTiming(base: BaseTiming): void {
  refuseUnless([...scheduleRules(base), ...timeoutRules(base)]);
}

/**
 * The code computes leases and delays from shared/timing.ts, so a stack must have the same timeouts and
 * schedules.
 * @throws Error with a sentence for each value of the config that differs.
 */
export function checkConfigTiming(config: StackConfig): void {
  const timeouts = Object.entries(timing.timeoutSeconds) as [TimedFunction, number][];
  refuseUnless([
    ...timeouts.map(([name, seconds]) =>
      sameAs(`${name}.timeoutSeconds`, config[name].timeoutSeconds, seconds),
    ),
    sameAs('pollEveryMinutes', config.pollEveryMinutes, timing.dispatchEveryMinutes),
    sameAs('reconcileEveryMinutes', config.reconcileEveryMinutes, timing.reconcileEveryMinutes),
    ...retryRules(config),
  ]);
}

function sameAs(name: string, configured: number, timed: number): Rule {
  return [
    configured === timed,
    `${name} of the stack is ${configured}, but shared/timing.ts says ${timed}: change it there, so that leases and delays follow.`,
  ];
}

function scheduleRules({
  timeoutSeconds,
  dispatchEveryMinutes,
  reconcileEveryMinutes,
}: BaseTiming) {
  const { dispatch, reconcile } = timeoutSeconds;
  return [
    [
      dispatchEveryMinutes * 60 <= shortestLatencySeconds,
      `Dispatch starts every ${dispatchEveryMinutes} min, but a watch may ask for news within ${shortestLatencySeconds} s: set 1 min.`,
    ],
    [
      dispatch < dispatchEveryMinutes * 60,
      `Dispatch may run for ${dispatch} s, but starts every ${dispatchEveryMinutes} min: set a shorter timeout, so that a run ends before the next.`,
    ],
    [
      reconcile < reconcileEveryMinutes * 60,
      `Reconcile may run for ${reconcile} s, but starts every ${reconcileEveryMinutes} min: set a shorter timeout, so that a run ends before the next.`,
    ],
    [
      reconcileEveryMinutes * 60_000 <= longestQueueDelayMs,
      `Reconcile starts every ${reconcileEveryMinutes} min and queues what falls due until its next run, but SQS delays a message by 15 min at most: set 15 min or less.`,
    ],
    [
      reconcileEveryMinutes >= 2,
      `Reconcile starts every ${reconcileEveryMinutes} min, but it searches the marketplace once a run, and the limit of searches is for the whole account: set 2 min or more.`,
    ],
  ] satisfies Rule[];
}

function timeoutRules({ timeoutSeconds }: BaseTiming): Rule[] {
  const { api, poll, sendEmail, reconcile } = timeoutSeconds;
  const atLeast = (name: string, seconds: number, least: number, why: string): Rule => [
    seconds >= least,
    `The timeout of ${name} is ${seconds} s, but ${why}: set ${least} s or more.`,
  ];
  return [
    [
      api < gatewayTimeoutSeconds,
      `The timeout of the API is ${api} s, but API Gateway gives up after ${gatewayTimeoutSeconds} s: set less.`,
    ],
    ...Object.entries(timeoutSeconds).map(([name, seconds]) =>
      atLeast(
        name,
        seconds,
        api,
        "the request timeout of the AWS SDK follows from the API's timeout",
      ),
    ),
    atLeast('api', api, 5, 'three tries of a call of AWS and a search of the marketplace need 5 s'),
    atLeast('poll', poll, 60, 'three tries at the marketplace and storing need 60 s'),
    atLeast('sendEmail', sendEmail, 30, 'three tries at SES and recording need 30 s'),
    atLeast('reconcile', reconcile, 60, 'the catalog needs 25 s and the other steps 35 s'),
  ];
}

/** A queue must keep a message until its last try has ended. */
function retryRules(config: StackConfig): Rule[] {
  const { poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs } = config;
  const workers = { poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs };
  return Object.entries(workers).map(([name, worker]) => {
    const { timeoutSeconds, batchingWindowSeconds, maxReceiveCount } = worker;
    const seconds = maxReceiveCount * visibilitySeconds(timeoutSeconds, batchingWindowSeconds);
    return [
      seconds < retentionDays.queue * 86_400,
      `The ${maxReceiveCount} tries of a message of ${name} take ${seconds} s, but its queue keeps it for ${retentionDays.queue} days: set fewer tries.`,
    ];
  });
}

/** @throws Error with the sentence of each broken rule. */
function refuseUnless(rules: readonly Rule[]): void {
  const broken = rules.flatMap(([holds, sentence]) => (holds ? [] : [sentence]));
  if (broken.length > 0) throw new Error(broken.join(' '));
}
