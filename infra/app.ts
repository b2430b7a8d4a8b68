/**
 * The CDK app: one stack for the stage given by `-c stage=` (default dev). Synthesis fails if the
 * stack breaks a rule of checks.ts.
 */
import { App } from 'aws-cdk-lib';
import { AlertingStack } from './alerting-stack.ts';
import { checkAtSynthesis } from './checks.ts';
import { configFor } from './config.ts';

const app = new App();
const config = configFor(app.node.tryGetContext('stage'));

new AlertingStack(app, config.stage === 'prod' ? 'Getin' : 'GetinDev', { config });
checkAtSynthesis(app);
