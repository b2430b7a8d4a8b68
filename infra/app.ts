/** The CDK app: one stack for the stage given by `-c stage=` (dev unless said). */
import { App } from 'aws-cdk-lib';
import { AlertingStack } from './alerting-stack.ts';
import { configFor } from './config.ts';

const app = new App();
const config = configFor(app.node.tryGetContext('stage'));

new AlertingStack(app, config.stage === 'prod' ? 'Getin' : 'GetinDev', { config });
