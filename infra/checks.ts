/**
 * The checks at every synthesis: cdk-nag's AwsSolutions pack and one rule of our own. Synthesis
 * fails if the stack breaks one.
 */
import { type App, type CfnResource, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, NagMessageLevel, NagPack, rules } from 'cdk-nag';

class QueueChecks extends NagPack {
  override readonly name = 'Queues';
  protected override packName = 'Queues';

  protected override checkResource(node: CfnResource): void {
    this.applyRule({
      info: "A queue's visibility timeout is less than six times its function's timeout.",
      explanation:
        'A message would be delivered again while the function may still be working on it.',
      level: NagMessageLevel.ERROR,
      rule: rules.lambda.LambdaEventSourceSQSVisibilityTimeout,
      node,
    });
  }
}

/** Adds the checks to the app's synthesis. */
export function checkAtSynthesis(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new QueueChecks(app));
}
