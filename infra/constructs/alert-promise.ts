/**
 * The service level: the promised share of alerts reaches its receiver within two minutes of the market's refresh.
 * Its alarms ring by how fast the share that may be late is used up, each over a long window, which says that it
 * matters, and a short one, which says that it still goes on.
 */
import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StackConfig, Stage } from '../config.ts';
import type { AlarmKind, Alarms } from './alarms.ts';
import { metricsNamespace } from './business-metrics.ts';

export interface AlertPromiseProps {
  readonly stage: Stage;
  readonly alarms: Alarms;
  readonly promise: StackConfig['alertPromise'];
}

/** The service under which both senders write the delays: `deliveryService` of shared/lambda/report-delivery.ts. */
const deliveryService = 'getin-delivery';

/** Below this many late alerts in the long window nothing rings: of few alerts, one late one is a large share. */
const fewestLate = 3;

/**
 * The rates of Google's SRE workbook (Alerting on SLOs): at 14.4 times the allowed rate, an hour uses up 2 % of what
 * may be late in 30 days; at 6 times, six hours use up 5 %.
 */
const burns = [
  {
    ...{ id: 'Fast', kind: 'slo-burning-fast', rate: 14.4 },
    ...{ long: Duration.hours(1), short: Duration.minutes(5) },
    says: 'Many promised alerts are late; at this rate the whole month’s share is used up in two days',
  },
  {
    ...{ id: 'Slow', kind: 'slo-burning-slow', rate: 6 },
    ...{ long: Duration.hours(6), short: Duration.minutes(30) },
    says: 'Promised alerts are late; at this rate the whole month’s share is used up in five days',
  },
] as const satisfies { kind: AlarmKind; [other: string]: unknown }[];

export class AlertPromise extends Construct {
  /** Promised alerts that arrived, and the percentage of them in time, each over five minutes. */
  readonly arrived: Metric;
  readonly inTimePercent: Metric;

  constructor(scope: Construct, id: string, { stage, alarms, promise }: AlertPromiseProps) {
    super(scope, id);
    const over = (period: Duration, statistic: string) =>
      new Metric({
        namespace: metricsNamespace,
        metricName: 'promisedDelayMs',
        dimensionsMap: { service: deliveryService, stage },
        ...{ statistic, period },
      });
    const inTime = `PR(:${promise.withinSeconds * 1_000})`;
    this.arrived = over(Duration.minutes(5), Stats.SAMPLE_COUNT);
    this.inTimePercent = over(Duration.minutes(5), inTime);
    const latePercent = (period: Duration, expression: string, isCounted: boolean) =>
      new MathExpression({
        ...{ expression, period, label: 'late, %' },
        usingMetrics: {
          inTime: over(period, inTime),
          ...(isCounted && { arrived: over(period, Stats.SAMPLE_COUNT) }),
        },
      });
    for (const { id: burn, kind, says, rate, long, short } of burns) {
      const threshold = rate * allowedPercent(promise);
      alarms.addAllOf(
        this,
        burn,
        { kind, says },
        {
          Long: { metric: latePercent(long, lateIfSeveral, true), threshold },
          Short: { metric: latePercent(short, '100 - inTime', false), threshold },
        },
      );
    }
  }
}

/** Half an alert below the whole number, because a percentage times a count is seldom exact. */
const lateIfSeveral = `IF(arrived * (100 - inTime) / 100 > ${fewestLate - 0.5}, 100 - inTime, 0)`;

/** Percent of the alerts that may be late: 0.1 of 99.9. */
function allowedPercent({ percent }: StackConfig['alertPromise']): number {
  return Number((100 - percent).toFixed(6));
}
