/**
 * The alarm of the synthetic watch: it rings when no proof arrived, so it rings too when nothing works at all. It
 * exists only where the deployment names an event.
 */
import { CfnCondition, Duration, Fn } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { metricsNamespace } from './business-metrics.ts';

export interface SyntheticAlarmProps {
  readonly stage: Stage;
  readonly alarms: Alarms;
  /** Empty: no synthetic watch. */
  readonly event: string;
}

/** Two proofs and a run of reconcile, which may begin a proof five minutes late. */
const longestSilence = Duration.minutes(25);

export class SyntheticAlarm extends Construct {
  constructor(scope: Construct, id: string, { stage, alarms, event }: SyntheticAlarmProps) {
    super(scope, id);
    const onlyIf = new CfnCondition(this, 'HasEvent', {
      expression: Fn.conditionNot(Fn.conditionEquals(event, '')),
    });
    alarms.add(this, 'Silent', {
      kind: 'synthetic-silent',
      says: 'No alert of the synthetic watch arrived for 25 minutes',
      metric: new Metric({
        namespace: metricsNamespace,
        metricName: 'syntheticDelivered',
        dimensionsMap: { service: 'getin-send-email', stage },
        statistic: Stats.SUM,
        period: longestSilence,
      }),
      threshold: 1,
      rings: 'below',
      silenceIs: 'trouble',
      onlyIf,
    });
  }
}
