/**
 * The product's own metrics, as the functions write them, and the alarms on them. A test checks
 * that the code writes each of them.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { FunctionName } from '../access.ts';
import type { StackConfig, Stage } from '../config.ts';
import type { Alarms } from './alarms.ts';

/** The namespace of every metric; Powertools adds the dimensions `service` and `stage`. */
export const metricsNamespace = 'Getin';

/** Below this number of polls a percentage says too little. */
const fewestPolls = 10;

/** Functions that may set faults aside. */
const settingAside = ['api', 'chart', 'dispatch', 'evaluate', 'poll', 'reconcile'] as const;
const sending = ['send-email', 'send-webhook'] as const;

export type BusinessMetrics = ReturnType<typeof businessMetricsOf>;

/** The metrics of one stage, each over five minutes. */
export function businessMetricsOf(stage: Stage) {
  const of = (service: FunctionName, metricName: string, statistic: string = Stats.SUM) =>
    new Metric({
      namespace: metricsNamespace,
      metricName,
      dimensionsMap: { service: `getin-${service}`, stage },
      statistic,
      period: Duration.minutes(5),
    });
  const polls = of('poll', 'polls');
  const pollsFailed = of('poll', 'pollsFailed');
  return {
    polls,
    pollsFailed,
    pollLagMs: of('reconcile', 'pollLagMs', Stats.MAXIMUM),
    budgetForecastPercent: of('reconcile', 'budgetForecastPercent', Stats.MAXIMUM),
    reconcileStepsFailed: of('reconcile', 'stepsFailed', Stats.MAXIMUM),
    feedsDispatched: of('dispatch', 'feedsDispatched'),
    feedsLeft: of('dispatch', 'feedsLeft'),
    pullsCharged: of('poll', 'pullsCharged'),
    snapshotsStored: of('poll', 'snapshotsStored'),
    snapshotsMatched: of('evaluate', 'snapshotsMatched'),
    alertsRaised: of('evaluate', 'alertsRaised'),
    alertDelayMs: of('evaluate', 'alertDelayMs', Stats.percentile(95)),
    mailsSent: of('send-email', 'deliveriesSent'),
    mailsFailed: of('send-email', 'deliveriesFailed'),
    webhooksSent: of('send-webhook', 'deliveriesSent'),
    webhooksFailed: of('send-webhook', 'deliveriesFailed'),
    marketplaceErrorPercent: errorPercent(polls, pollsFailed),
    faultsSetAside: sumOfFaults(
      [...settingAside, ...sending].map((name) => [name, of(name, 'faultsSetAside')]),
    ),
  };
}

/** Percent of polls that the marketplace failed; 0 with few polls. */
function errorPercent(polls: Metric, failed: Metric): MathExpression {
  return new MathExpression({
    expression: `IF(polls > ${fewestPolls}, 100 * failed / polls, 0)`,
    usingMetrics: { polls, failed },
    label: 'polls failed, %',
    period: Duration.minutes(5),
  });
}

/** Permanent faults set aside, over all functions; a function without faults writes no value. */
function sumOfFaults(faults: [FunctionName, Metric][]): MathExpression {
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: Object.fromEntries(
      faults.map(([name, metric]) => [`of_${name.replace('-', '_')}`, metric]),
    ),
    label: 'faults set aside',
    period: Duration.minutes(5),
  });
}

export interface BusinessAlarmsProps {
  readonly stage: Stage;
  readonly alarms: Alarms;
  readonly thresholds: StackConfig['alarms'];
}

export class BusinessAlarms extends Construct {
  readonly metrics: BusinessMetrics;

  constructor(scope: Construct, id: string, { stage, alarms, thresholds }: BusinessAlarmsProps) {
    super(scope, id);
    const metrics = businessMetricsOf(stage);
    this.metrics = metrics;
    alarms.add(this, 'PollLag', {
      kind: 'poll-lag',
      says: 'A feed is polled long after its due time',
      metric: metrics.pollLagMs,
      threshold: thresholds.pollLagSeconds * 1000,
      periods: 2,
      // Reconcile writes this at every run, so missing data means that reconcile doesn't run.
      silenceIs: 'trouble',
    });
    alarms.add(this, 'AlertDelay', {
      kind: 'alert-delayed',
      says: 'Alerts are raised late after the market moved',
      metric: metrics.alertDelayMs,
      threshold: thresholds.alertDelaySeconds * 1000,
      periods: 3,
    });
    alarms.add(this, 'BudgetForecast', {
      kind: 'budget-forecast',
      says: 'At this rate the pull cap is used up before its period ends',
      metric: metrics.budgetForecastPercent,
      threshold: thresholds.budgetForecastPercent,
      periods: 6,
    });
    alarms.add(this, 'ReconcileIncomplete', {
      kind: 'reconcile-incomplete',
      says: 'A step of reconcile fails at every run',
      metric: metrics.reconcileStepsFailed,
      threshold: 0,
      periods: 6,
    });
    alarms.add(this, 'FaultSetAside', {
      kind: 'fault-set-aside',
      says: 'A stored item or a received row can’t be processed and was set aside',
      metric: metrics.faultsSetAside,
      threshold: 0,
    });
    alarms.add(this, 'MarketplaceErrors', {
      kind: 'marketplace-failing',
      says: 'The marketplace fails a large share of the polls',
      metric: metrics.marketplaceErrorPercent,
      threshold: thresholds.marketplaceErrorPercent,
      periods: 3,
    });
  }
}
