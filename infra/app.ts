/**
 * The CDK app: one stack for the stage given by `-c stage=` (dev unless said). A stack that
 * breaks a rule of cdk-nag's AwsSolutions pack is not synthesized.
 */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { AlertingStack } from './alerting-stack.ts';
import { configFor } from './config.ts';

const app = new App();
const config = configFor(app.node.tryGetContext('stage'));

new AlertingStack(app, config.stage === 'prod' ? 'Getin' : 'GetinDev', { config });
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
