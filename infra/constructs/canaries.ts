/**
 * Canaries: CodeDeploy moves an alias to a new version for a tenth of the invocations first, and for all of them after
 * a quarter of an hour. If an alarm of the function rings meanwhile, the alias moves back and the deployment fails.
 */
import { CfnCondition, Fn, Validations } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ReleasePace } from '../releases.ts';
import type { Alarms } from './alarms.ts';

/** A construct with a function that is released through a canary. */
export interface CanaryTarget extends Construct {
  readonly live: Alias;
}

export interface CanariesProps {
  /** The value of a `ReleasePace`; at once also ignores the alarms, because they may ring for what the release mends. */
  readonly pace: string;
  /** Those below a target stop its release. */
  readonly alarms: Alarms;
  /** The functions that decide whether people are told, by construct id. */
  readonly targets: Readonly<Record<string, CanaryTarget>>;
}

/** Longer than the two periods of five minutes after which a failing function rings. */
const canaryConfig = 'CodeDeployDefault.LambdaCanary10Percent15Minutes';
const atOnceConfig = 'CodeDeployDefault.LambdaAllAtOnce';

export class Canaries extends Construct {
  readonly #application: CfnApplication;
  readonly #role: Role;
  readonly #isAtOnce: string;

  constructor(scope: Construct, id: string, { pace, alarms, targets }: CanariesProps) {
    super(scope, id);
    this.#application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    this.#role = this.#makeRole();
    this.#isAtOnce = new CfnCondition(this, 'IsAtOnce', {
      expression: Fn.conditionEquals(pace, 'at-once' satisfies ReleasePace),
    }).logicalId;
    for (const [name, target] of Object.entries(targets)) {
      this.#add(name, target.live, alarms.below(target));
    }
  }

  #add(name: string, alias: Alias, alarms: readonly AlarmBase[]): void {
    const group = new CfnDeploymentGroup(this, name, {
      applicationName: this.#application.ref,
      serviceRoleArn: this.#role.roleArn,
      deploymentConfigName: Fn.conditionIf(this.#isAtOnce, atOnceConfig, canaryConfig).toString(),
      deploymentStyle: {
        deploymentType: 'BLUE_GREEN',
        deploymentOption: 'WITH_TRAFFIC_CONTROL',
      },
      autoRollbackConfiguration: {
        enabled: true,
        events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
      alarmConfiguration: {
        enabled: Fn.conditionIf(this.#isAtOnce, false, true),
        alarms: alarms.map(({ alarmName }) => ({ name: alarmName })),
      },
    });
    (alias.node.defaultChild as CfnAlias).cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: {
        applicationName: this.#application.ref,
        deploymentGroupName: group.ref,
      },
    };
  }

  #makeRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        "CodeDeploy's own policy: it moves aliases and reads alarms, and changes with CodeDeploy",
    });
    return role;
  }
}
