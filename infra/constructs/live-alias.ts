/**
 * The version of a function that runs: a release makes a version, and the alias moves to it, or stays at the version
 * that the operator has pinned. Earlier versions stay, so that a rollback finds them.
 */
import { CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import { Alias, type CfnAlias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FunctionName } from '../access.ts';
import { liveAlias, newestVersion, pinParameterOf } from '../releases.ts';

export class LiveAlias extends Construct {
  readonly alias: Alias;

  constructor(
    scope: Construct,
    id: string,
    { name, lambda }: { readonly name: FunctionName; readonly lambda: LambdaFunction },
  ) {
    super(scope, id);
    const pin = new CfnParameter(Stack.of(this), pinParameterOf(name), {
      description: `The version of ${name} that runs, 0 for the newest; npm run rollback sets it`,
      allowedPattern: '0|[1-9][0-9]{0,9}',
      default: newestVersion,
    });
    const isNewest = new CfnCondition(this, 'IsNewest', {
      expression: Fn.conditionEquals(pin.valueAsString, newestVersion),
    });
    const newest = lambda.currentVersion;
    this.alias = new Alias(this, 'Alias', { aliasName: liveAlias, version: newest });
    (this.alias.node.defaultChild as CfnAlias).functionVersion = Fn.conditionIf(
      isNewest.logicalId,
      newest.version,
      pin.valueAsString,
    ).toString();
  }
}
