/**
 * The product's own metrics, as the functions write them, and the alarms on them. A test checks
 * that the code writes each of them.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { FunctionName } from '../access.ts';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';

/** The namespace and the dimension that Powertools gives each metric. */
export const metricsNamespace = 'Getin';

/** A metric of a function over five minutes. */
export function productMetric(
  service: FunctionName,
  metricName: string,
  statistic: string = Stats.SUM,
): Metric {
  return new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { service: `getin-${service}` },
    statistic,
    period: Duration.minutes(5),
  });
}

export const businessMetrics = {
  pollLagMs: productMetric('reconcile', 'pollLagMs', Stats.MAXIMUM),
  budgetForecastPercent: productMetric('reconcile', 'budgetForecastPercent', Stats.MAXIMUM),
  reconcileStepsFailed: productMetric('reconcile', 'stepsFailed', Stats.MAXIMUM),
  feedsDispatched: productMetric('dispatch', 'feedsDispatched'),
  feedsLeft: productMetric('dispatch', 'feedsLeft'),
  polls: productMetric('poll', 'polls'),
  pollsFailed: productMetric('poll', 'pollsFailed'),
  pullsCharged: productMetric('poll', 'pullsCharged'),
  snapshotsStored: productMetric('poll', 'snapshotsStored'),
  snapshotsMatched: productMetric('evaluate', 'snapshotsMatched'),
  alertsRaised: productMetric('evaluate', 'alertsRaised'),
  alertDelayMs: productMetric('evaluate', 'alertDelayMs', Stats.percentile(95)),
  mailsSent: productMetric('send-email', 'deliveriesSent'),
  mailsFailed: productMetric('send-email', 'deliveriesFailed'),
  webhooksSent: productMetric('send-webhook', 'deliveriesSent'),
  webhooksFailed: productMetric('send-webhook', 'deliveriesFailed'),
};

/** Below this number of polls a percentage says too little. */
const fewestPolls = 10;

/** Percent of polls that the marketplace failed; 0 with few polls. */
export const marketplaceErrorPercent = new MathExpression({
  expression: `IF(polls > ${fewestPolls}, 100 * failed / polls, 0)`,
  usingMetrics: { polls: businessMetrics.polls, failed: businessMetrics.pollsFailed },
  label: 'polls failed, %',
  period: Duration.minutes(5),
});

/** Functions that may set faults aside. */
const settingAside = ['api', 'dispatch', 'evaluate', 'poll', 'reconcile'] as const;
const sending = ['send-email', 'send-webhook'] as const;

/** Permanent faults set aside, over all functions; a function without faults writes no value. */
export const faultsSetAside = new MathExpression({
  expression: 'SUM(METRICS())',
  usingMetrics: Object.fromEntries(
    [...settingAside, ...sending].map((name) => [
      `of_${name.replace('-', '_')}`,
      productMetric(name, 'faultsSetAside'),
    ]),
  ),
  label: 'faults set aside',
  period: Duration.minutes(5),
});

export interface BusinessAlarmsProps {
  readonly alarms: Alarms;
  readonly thresholds: StackConfig['alarms'];
}

export class BusinessAlarms extends Construct {
  constructor(scope: Construct, id: string, { alarms, thresholds }: BusinessAlarmsProps) {
    super(scope, id);
    alarms.add(this, 'PollLag', {
      kind: 'poll-lag',
      says: 'A feed is polled long after its due time',
      metric: businessMetrics.pollLagMs,
      threshold: thresholds.pollLagSeconds * 1000,
      periods: 2,
      // Reconcile writes this at every run, so missing data means that reconcile doesn't run.
      silenceIs: 'trouble',
    });
    alarms.add(this, 'AlertDelay', {
      kind: 'alert-delayed',
      says: 'Alerts are raised late after the market moved',
      metric: businessMetrics.alertDelayMs,
      threshold: thresholds.alertDelaySeconds * 1000,
      periods: 3,
    });
    alarms.add(this, 'BudgetForecast', {
      kind: 'budget-forecast',
      says: 'At this rate the pull cap is used up before its period ends',
      metric: businessMetrics.budgetForecastPercent,
      threshold: thresholds.budgetForecastPercent,
      periods: 6,
    });
    alarms.add(this, 'ReconcileIncomplete', {
      kind: 'reconcile-incomplete',
      says: 'A step of reconcile fails at every run',
      metric: businessMetrics.reconcileStepsFailed,
      threshold: 0,
      periods: 6,
    });
    alarms.add(this, 'FaultSetAside', {
      kind: 'fault-set-aside',
      says: 'A stored item or a received row can’t be processed and was set aside',
      metric: faultsSetAside,
      threshold: 0,
    });
    alarms.add(this, 'MarketplaceErrors', {
      kind: 'marketplace-failing',
      says: 'The marketplace fails a large share of the polls',
      metric: marketplaceErrorPercent,
      threshold: thresholds.marketplaceErrorPercent,
      periods: 3,
    });
  }
}
