/**
 * One dashboard, in the order of an operator's questions: which alarms ring, are alerts sent, are
 * prices polled, where does work queue up, which function fails, are the tables healthy.
 */
import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { AlertPromise } from './alert-promise.ts';
import type { BusinessMetrics } from './business-metrics.ts';
import type { Email } from './email.ts';
import type { PublicHttpApi } from './http-api.ts';
import type { Tables } from './tables.ts';
import type { Worker } from './worker.ts';

export interface OnCallDashboardProps {
  readonly alarms: Alarms;
  readonly metrics: BusinessMetrics;
  readonly promise: AlertPromise;
  readonly workers: readonly Worker[];
  readonly functions: readonly LambdaFunction[];
  readonly tables: Tables;
  readonly api: PublicHttpApi;
  readonly email: Email;
}

const fullWidth = 24;

export class OnCallDashboard extends Construct {
  constructor(scope: Construct, id: string, props: OnCallDashboardProps) {
    super(scope, id);
    const { alarms, metrics: business, promise, workers, functions } = props;
    const dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.hours(6) });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'What rings', alarms: alarms.all, width: fullWidth }),
    );
    dashboard.addWidgets(heading('Are people told?'));
    dashboard.addWidgets(
      row('Alerts raised', business.alertsRaised),
      row('From refresh to alert, ms (p95)', business.alertDelayMs),
      row('Delivered', business.mailsSent, business.webhooksSent),
      row('Given up', business.mailsFailed, business.webhooksFailed),
    );
    dashboard.addWidgets(
      half('Promised alerts that arrived', [promise.arrived]),
      half('In time, %', [promise.inTimePercent]),
    );
    dashboard.addWidgets(heading('Are prices seen?'));
    dashboard.addWidgets(
      row('Poll lag, ms', business.pollLagMs),
      row('Polls and failures', business.polls, business.marketplaceErrorPercent),
      row('Dispatched, left for later', business.feedsDispatched, business.feedsLeft),
      new SingleValueWidget({
        title: 'Pulls, and forecast of the cap in %',
        metrics: [business.pullsCharged, business.budgetForecastPercent],
        width: 6,
        height: 6,
      }),
    );
    dashboard.addWidgets(heading('Backlog of queues'));
    dashboard.addWidgets(
      half(
        'Oldest message, s',
        workers.map(({ oldestMessage }) => oldestMessage),
      ),
      half(
        'Dead letters',
        workers.map(({ deadLetterCount }) => deadLetterCount),
      ),
    );
    dashboard.addWidgets(heading('Errors by function'));
    dashboard.addWidgets(
      row('Errors', ...functions.map((one) => one.metricErrors())),
      row('Throttles', ...functions.map((one) => one.metricThrottles())),
      half(
        'Duration, ms (p99)',
        functions.map((one) => one.metricDuration({ statistic: 'p99' })),
      ),
    );
    dashboard.addWidgets(heading('DynamoDB and account limits'));
    dashboard.addWidgets(
      row('API: requests, failures', props.api.requests, props.api.failures),
      row('API: latency, ms (p99)', props.api.latency),
      row('Tables: throttled', ...props.tables.throttles),
      row('Mail: bounce and complaint rate', ...props.email.reputation),
    );
  }
}

function heading(markdown: string): TextWidget {
  return new TextWidget({ markdown: `## ${markdown}`, width: fullWidth, height: 1 });
}

function row(title: string, ...left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6 });
}

function half(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12 });
}
