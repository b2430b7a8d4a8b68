/**
 * Alarms for the operator. Each kind has a line in the runbook of infra/README.md and notifies the
 * topic when it starts and when it ends. Only these alarms notify.
 */
import { CfnCondition, Fn, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  type CfnAlarm,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** The alarm kinds; each has a line in the runbook. */
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
  'slo-burning-fast',
  'slo-burning-slow',
  'synthetic-silent',
  'table-refuses',
  'table-throttled',
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

/** What an alarm tells the operator. */
export interface AlarmWords {
  readonly kind: AlarmKind;
  /** A sentence for the operator: `Messages of poll wait too long`. */
  readonly says: string;
}

/** When an alarm rings. */
export interface AlarmTerms {
  readonly metric: IMetric;
  /** The alarm rings above this value, or below it with `rings: 'below'`. */
  readonly threshold: number;
  /** @default 'above' */
  readonly rings?: 'above' | 'below';
  /** How many periods of the metric in a row must be past the threshold. @default 1 */
  readonly periods?: number;
  /** How to treat missing data. @default 'fine' */
  readonly silenceIs?: 'fine' | 'trouble';
}

export interface AlarmProps extends AlarmWords, AlarmTerms {
  /** The condition of the template under which the alarm exists. @default always */
  readonly onlyIf?: CfnCondition;
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
  /** Address that receives the alarms; empty: no subscription. */
  readonly operatorEmail: string;
}

export class Alarms extends Construct {
  readonly topic: Topic;
  /** All alarms that always exist, in the order of their creation. */
  readonly all: AlarmBase[] = [];

  constructor(scope: Construct, id: string, { operatorEmail }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic policy replaces SNS's default one, so it must allow CloudWatch to publish.
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

  /** The alarms so far of a construct and what is in it. */
  below(construct: Construct): AlarmBase[] {
    return this.all.filter(({ node }) => node.path.startsWith(`${construct.node.path}/`));
  }

  /** Creates an alarm under `scope` with the construct id `id`. */
  add(scope: Construct, id: string, props: AlarmProps): void {
    const alarm = metricAlarm(scope, id, props, descriptionOf(props));
    this.#notify(alarm);
    // Nothing may refer to an alarm that may not exist.
    if (props.onlyIf) (alarm.node.defaultChild as CfnAlarm).cfnOptions.condition = props.onlyIf;
    else this.all.push(alarm);
  }

  /** Creates an alarm that rings while all of its parts would. The parts themselves notify nobody. */
  addAllOf(scope: Construct, id: string, words: AlarmWords, parts: Record<string, AlarmTerms>) {
    const alarms = Object.entries(parts).map(([part, terms]) =>
      metricAlarm(scope, `${id}${part}`, terms, `Part of ${words.kind}: ${part}`),
    );
    const composite = new CompositeAlarm(scope, id, {
      alarmRule: AlarmRule.allOf(...alarms),
      alarmDescription: descriptionOf(words),
    });
    this.#notify(composite);
    this.all.push(composite);
  }

  #notify(alarm: AlarmBase): void {
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}

function descriptionOf({ kind, says }: AlarmWords): string {
  return `${says}. Runbook: infra/README.md, ${kind}`;
}

function metricAlarm(
  scope: Construct,
  id: string,
  { metric, threshold, rings = 'above', periods = 1, silenceIs = 'fine' }: AlarmTerms,
  alarmDescription: string,
): Alarm {
  return new Alarm(scope, id, {
    ...{ metric, threshold, alarmDescription },
    comparisonOperator: comparisons[rings],
    evaluationPeriods: periods,
    treatMissingData: missingData[silenceIs],
  });
}
