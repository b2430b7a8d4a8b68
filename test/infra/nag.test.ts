import { Duration } from 'aws-cdk-lib';
import { type CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { checkAtSynthesis } from '#infra/checks.ts';
import { aStack } from './support/templates.ts';

describe('the checks at synthesis', () => {
  it.each(['dev', 'prod'] as const)('find nothing without a reason in a %s stack', (stage) => {
    const { app } = aStack(stage);
    checkAtSynthesis(app);
    expect(() => app.synth()).not.toThrow();
  });

  it('refuse a stack with a queue that has no dead letters', () => {
    const { app, stack } = aStack('dev');
    new Queue(stack, 'Bare');
    checkAtSynthesis(app);
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS3/);
  });

  it('refuse a queue whose visibility timeout is below six timeouts of its function', () => {
    const { app, stack } = aStack('dev');
    const queue = stack.node.findChild('Poll').node.findChild('Queue').node.defaultChild;
    (queue as CfnQueue).visibilityTimeout = Duration.minutes(5).toSeconds();
    checkAtSynthesis(app);
    expect(() => app.synth()).toThrow(/Queues-VisibilityTimeout/);
  });
});
