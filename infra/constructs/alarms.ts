/**
 * Alarms that wake the operator: each has a line in the runbook of infra/README.md, by its
 * own name, and tells the topic when it begins and when it is over. Nothing else pages.
 */
import { CfnCondition, Fn, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** What an alarm is about; each is a heading's line in the runbook. */
export const alarmKinds = [
  'api-failing',
  'api-slow',
  'alert-delayed',
  'budget-forecast',
  'concurrency-claimed',
  'dead-letters',
  'fault-set-aside',
  'function-failing',
  'function-slow',
  'function-throttled',
  'mail-bounces',
  'mail-complaints',
  'marketplace-failing',
  'messages-waiting',
  'poll-lag',
  'reconcile-incomplete',
  'schedule-silent',
  'table-refuses',
  'table-throttled',
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

export interface AlarmProps {
  readonly kind: AlarmKind;
  /** What has happened, in a person's words: `Messages of poll wait too long`. */
  readonly says: string;
  readonly metric: IMetric;
  /** The alarm rings above this, or below it if `rings` says so. */
  readonly threshold: number;
  /** @default 'above' */
  readonly rings?: 'above' | 'below';
  /** Periods in a row (of the metric's period) that have to be beyond. @default 1 */
  readonly periods?: number;
  /** What no figure at all means. @default 'fine' */
  readonly silenceIs?: 'fine' | 'trouble';
}

const comparisons = {
  above: ComparisonOperator.GREATER_THAN_THRESHOLD,
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const missingData = {
  fine: TreatMissingData.NOT_BREACHING,
  trouble: TreatMissingData.BREACHING,
} as const;

export interface AlarmsProps {
  /** Where alarms go; a deployment with an empty one has nobody to wake. */
  readonly operatorEmail: string;
}

export class Alarms extends Construct {
  readonly topic: Topic;
  /** Every alarm that there is, in the order in which they were made. */
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, { operatorEmail }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic with a policy of its own has no other: without this no alarm could publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const subscription = new CfnSubscription(this, 'OperatorEmail', {
      topicArn: this.topic.topicArn,
      protocol: 'email',
      endpoint: operatorEmail,
    });
    subscription.cfnOptions.condition = new CfnCondition(this, 'HasOperatorEmail', {
      expression: Fn.conditionNot(Fn.conditionEquals(operatorEmail, '')),
    });
  }

  /** Makes an alarm beside what it watches: `scope` and `id` place it in the tree. */
  add(scope: Construct, id: string, props: AlarmProps): void {
    const { kind, says, metric, threshold, rings = 'above', periods = 1 } = props;
    const alarm = new Alarm(scope, id, {
      metric,
      threshold,
      comparisonOperator: comparisons[rings],
      evaluationPeriods: periods,
      treatMissingData: missingData[props.silenceIs ?? 'fine'],
      alarmDescription: `${says}. Runbook: infra/README.md, ${kind}`,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
  }
}
