/**
 * Metrics of the whole AWS account, including other stacks: the concurrency that a neighbour may
 * use up, and the calls that DynamoDB rejects.
 */
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';

export interface AccountAlarmsProps {
  readonly alarms: Alarms;
  readonly thresholds: StackConfig['alarms'];
}

export class AccountAlarms extends Construct {
  constructor(scope: Construct, id: string, { alarms, thresholds }: AccountAlarmsProps) {
    super(scope, id);
    alarms.add(this, 'Concurrency', {
      kind: 'concurrency-claimed',
      says: 'Most of the account’s concurrent executions are reserved or in use',
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ClaimedAccountConcurrency',
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(1),
      }),
      threshold: thresholds.claimedConcurrency,
      periods: 5,
    });
    alarms.add(this, 'TableErrors', {
      kind: 'table-refuses',
      says: 'DynamoDB rejects calls: invalid request or missing permission',
      // Excludes throttled calls and failed conditions.
      metric: new Metric({
        namespace: 'AWS/DynamoDB',
        metricName: 'UserErrors',
        statistic: Stats.SUM,
        period: Duration.minutes(5),
      }),
      threshold: 0,
      periods: 3,
    });
  }
}
