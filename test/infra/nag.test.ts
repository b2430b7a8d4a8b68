import { Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { aStack } from './support/templates.ts';

describe("cdk-nag's AwsSolutions pack", () => {
  it.each(['dev', 'prod'] as const)('finds nothing without a reason in a %s stack', (stage) => {
    const { app } = aStack(stage);
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  });

  it('refuses a stack with a queue that has no dead letters', () => {
    const { app, stack } = aStack('dev');
    new Queue(stack, 'Bare');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS3/);
  });
});
