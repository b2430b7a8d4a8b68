/**
 * The checks at every synthesis: cdk-nag's AwsSolutions pack and one rule of our own. Synthesis
 * fails if the stack breaks one.
 */
import { type App, type CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { CfnAlias, CfnEventSourceMapping, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, NagMessageLevel, NagPack, NagRuleCompliance } from 'cdk-nag';

class QueueChecks extends NagPack {
  override readonly name = 'Queues';
  protected override packName = 'Queues';

  protected override checkResource(node: CfnResource): void {
    this.applyRule({
      info: "A queue's visibility timeout is less than six times its function's timeout.",
      explanation:
        'A message would be delivered again while the function may still be working on it.',
      level: NagMessageLevel.ERROR,
      ruleSuffixOverride: 'VisibilityTimeout',
      rule: judgeVisibility,
      node,
    });
  }
}

/** cdk-nag's own rule knows no event source of an alias. */
function judgeVisibility(node: CfnResource): NagRuleCompliance {
  if (!(node instanceof CfnEventSourceMapping)) return NagRuleCompliance.NOT_APPLICABLE;
  const stack = Stack.of(node);
  const resources = stack.node
    .findAll()
    .filter(
      (one) => one instanceof CfnAlias || one instanceof CfnFunction || one instanceof CfnQueue,
    );
  const named = (value: unknown) => {
    const text = JSON.stringify(stack.resolve(value));
    return resources.filter((one) => text.includes(`"${stack.getLogicalId(one)}"`));
  };
  const targets = named(node.functionName).flatMap((one) =>
    one instanceof CfnAlias ? named(one.functionName) : one,
  );
  const [lambda] = targets.filter((one) => one instanceof CfnFunction);
  const [queue] = named(node.eventSourceArn).filter((one) => one instanceof CfnQueue);
  if (!lambda || !queue) return NagRuleCompliance.NON_COMPLIANT;
  const isLongEnough = (queue.visibilityTimeout ?? 30) >= 6 * (lambda.timeout ?? 3);
  return isLongEnough ? NagRuleCompliance.COMPLIANT : NagRuleCompliance.NON_COMPLIANT;
}

/** Adds the checks to the app's synthesis. */
export function checkAtSynthesis(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new QueueChecks(app));
}
