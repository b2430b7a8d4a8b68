/**
 * The whole alerting system: which functions there are, what triggers each, and the least
 * that each may do. Sizes come from the config, shapes from the constructs.
 */
import { fileURLToPath } from 'node:url';
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { StackConfig, WorkerSize } from './config.ts';
import { PublicHttpApi } from './constructs/http-api.ts';
import { ScheduledFunction } from './constructs/scheduled-function.ts';
import { Secrets } from './constructs/secrets.ts';
import { grantTableAccess, Tables } from './constructs/tables.ts';
import { Worker } from './constructs/worker.ts';
import { declareParameters } from './parameters.ts';

const productFunctions = fileURLToPath(new URL('../functions/', import.meta.url));

export interface AlertingStackProps extends StackProps {
  readonly config: StackConfig;
  /**
   * The folder with one `<name>/handler.ts` for each function.
   * @default - the product's own `functions/`
   */
  readonly functionsFolder?: string;
}

type Environment = Record<string, string>;

export class AlertingStack extends Stack {
  readonly #config: StackConfig;
  readonly #functionsFolder: string;
  readonly #parameters: ReturnType<typeof declareParameters>;
  readonly #tables: Tables;
  readonly #secrets: Secrets;

  constructor(scope: Construct, id: string, props: AlertingStackProps) {
    super(scope, id, props);
    this.#config = props.config;
    this.#functionsFolder = props.functionsFolder ?? productFunctions;
    this.#parameters = declareParameters(this);
    this.#tables = new Tables(this, 'Tables', props.config);
    this.#secrets = new Secrets(this, 'Secrets', props.config);

    const sendEmail = this.#sendEmail();
    const sendWebhook = this.#sendWebhook();
    const evaluate = this.#evaluate(sendEmail, sendWebhook);
    const poll = this.#poll(evaluate);
    this.#dispatch(poll);
    this.#reconcile(evaluate, sendEmail, sendWebhook);
    this.#api(evaluate);
    this.#outputs();
  }

  #sendEmail(): Worker {
    const worker = this.#worker('SendEmail', 'send-email', this.#config.sendEmail, {
      WATCHLIST_TABLE: this.#tables.watchlist.tableName,
      EMAIL_SENDER: this.#parameters.emailSender.valueAsString,
    });
    this.#sendsToItself(worker, 'EMAIL_QUEUE_URL');
    grantTableAccess(worker.lambda, { table: this.#tables.watchlist, write: true });
    worker.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendRawEmail'],
        // The identity may be the address or its domain: the sender condition narrows it.
        resources: [this.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
        conditions: {
          StringEquals: { 'ses:FromAddress': this.#parameters.emailSender.valueAsString },
        },
      }),
    );
    return worker;
  }

  #sendWebhook(): Worker {
    const worker = this.#worker('SendWebhook', 'send-webhook', this.#config.sendWebhook, {
      WATCHLIST_TABLE: this.#tables.watchlist.tableName,
      LOOPBACK_WEBHOOKS: this.#parameters.loopbackWebhooks.valueAsString,
    });
    this.#sendsToItself(worker, 'WEBHOOK_QUEUE_URL');
    grantTableAccess(worker.lambda, { table: this.#tables.watchlist, write: true });
    return worker;
  }

  #evaluate(sendEmail: Worker, sendWebhook: Worker): Worker {
    const worker = this.#worker('Evaluate', 'evaluate', this.#config.evaluate, {
      ...this.#tableNames(),
      EMAIL_QUEUE_URL: sendEmail.queue.queueUrl,
      WEBHOOK_QUEUE_URL: sendWebhook.queue.queueUrl,
    });
    this.#sendsToItself(worker, 'EVALUATE_QUEUE_URL');
    grantTableAccess(worker.lambda, {
      table: this.#tables.watchlist,
      write: true,
      indexes: ['trigger'],
    });
    grantTableAccess(worker.lambda, { table: this.#tables.snapshots });
    for (const { queue } of [sendEmail, sendWebhook]) queue.grantSendMessages(worker.lambda);
    return worker;
  }

  #poll(evaluate: Worker): Worker {
    const worker = this.#worker('Poll', 'poll', this.#config.poll, {
      ...this.#tableNames(),
      EVALUATE_QUEUE_URL: evaluate.queue.queueUrl,
      ...this.#marketplace(),
      ...this.#billingAssumptions(),
    });
    this.#sendsToItself(worker, 'POLL_QUEUE_URL');
    grantTableAccess(worker.lambda, {
      table: this.#tables.watchlist,
      write: true,
      indexes: ['trigger'],
    });
    grantTableAccess(worker.lambda, { table: this.#tables.snapshots, write: true });
    evaluate.queue.grantSendMessages(worker.lambda);
    this.#secrets.marketplaceKey.grantRead(worker.lambda);
    return worker;
  }

  #dispatch(poll: Worker): void {
    const { lambda } = new ScheduledFunction(this, 'Dispatch', {
      name: 'dispatch',
      entry: this.#entry('dispatch'),
      size: this.#config.dispatch,
      config: this.#config,
      environment: {
        WATCHLIST_TABLE: this.#tables.watchlist.tableName,
        POLL_QUEUE_URL: poll.queue.queueUrl,
        ...this.#pullCaps(),
      },
      every: Duration.minutes(this.#config.pollEveryMinutes),
      schedules: { Stats: { feed_kind: 'stats' }, Listings: { feed_kind: 'listings' } },
    });
    grantTableAccess(lambda, { table: this.#tables.watchlist, write: true, indexes: ['due'] });
    poll.queue.grantSendMessages(lambda);
  }

  #reconcile(evaluate: Worker, sendEmail: Worker, sendWebhook: Worker): void {
    const { lambda } = new ScheduledFunction(this, 'Reconcile', {
      name: 'reconcile',
      entry: this.#entry('reconcile'),
      size: this.#config.reconcile,
      config: this.#config,
      environment: {
        ...this.#tableNames(),
        EVALUATE_QUEUE_URL: evaluate.queue.queueUrl,
        EMAIL_QUEUE_URL: sendEmail.queue.queueUrl,
        WEBHOOK_QUEUE_URL: sendWebhook.queue.queueUrl,
        OPERATOR_EMAIL: this.#parameters.operatorEmail.valueAsString,
        OPERATOR_WEBHOOK: this.#parameters.operatorWebhook.valueAsString,
        ...this.#marketplace(),
        ...this.#pullCaps(),
        ...this.#billingAssumptions(),
      },
      every: Duration.minutes(this.#config.reconcileEveryMinutes),
      schedules: { Clock: {} },
    });
    grantTableAccess(lambda, {
      table: this.#tables.watchlist,
      write: true,
      indexes: ['due', 'owner', 'unfinished'],
    });
    grantTableAccess(lambda, { table: this.#tables.snapshots });
    this.#secrets.marketplaceKey.grantRead(lambda);
    for (const { queue } of [evaluate, sendEmail, sendWebhook]) queue.grantSendMessages(lambda);
  }

  #api(evaluate: Worker): void {
    const { lambda, url } = new PublicHttpApi(this, 'Api', {
      entry: this.#entry('api'),
      config: this.#config,
      environment: {
        ...this.#tableNames(),
        EVALUATE_QUEUE_URL: evaluate.queue.queueUrl,
        MARKETPLACE_URL: this.#parameters.marketplaceUrl.valueAsString,
        MARKETPLACE_KEY_SECRET: this.#secrets.marketplaceKey.secretArn,
        ADMIN_KEY_SECRET: this.#secrets.adminKey.secretArn,
        LOOPBACK_WEBHOOKS: this.#parameters.loopbackWebhooks.valueAsString,
        ...this.#pullCaps(),
        ...this.#billingAssumptions(),
      },
    });
    grantTableAccess(lambda, {
      table: this.#tables.watchlist,
      write: true,
      indexes: ['owner', 'due'],
    });
    grantTableAccess(lambda, { table: this.#tables.snapshots });
    evaluate.queue.grantSendMessages(lambda);
    this.#secrets.marketplaceKey.grantRead(lambda);
    this.#secrets.adminKey.grantRead(lambda);
    new CfnOutput(this, 'ApiUrl', { value: url });
  }

  #outputs(): void {
    new CfnOutput(this, 'MarketplaceKeySecret', {
      value: this.#secrets.marketplaceKey.secretArn,
      description: 'Put the marketplace API key here: aws secretsmanager put-secret-value',
    });
    new CfnOutput(this, 'AdminKeySecret', {
      value: this.#secrets.adminKey.secretArn,
      description: 'The first API key is its prefix and its secret, joined',
    });
  }

  #worker(id: string, name: string, size: WorkerSize, environment: Environment): Worker {
    const entry = this.#entry(name);
    return new Worker(this, id, { name, entry, size, config: this.#config, environment });
  }

  /** A worker that goes on, or tries again later, by a message in its own queue. */
  #sendsToItself({ lambda, queue }: Worker, variable: string): void {
    lambda.addEnvironment(variable, queue.queueUrl);
    queue.grantSendMessages(lambda);
  }

  #entry(name: string): string {
    return `${this.#functionsFolder}${name}/handler.ts`;
  }

  #pullCaps(): Environment {
    return {
      DAILY_PULL_CAP: this.#parameters.dailyPullCap.valueAsString,
      MONTHLY_PULL_CAP: this.#parameters.monthlyPullCap.valueAsString,
    };
  }

  #billingAssumptions(): Environment {
    const { flatPlanChargesFreePolls, datedStatsWithoutMatchCharged } = this.#parameters;
    return {
      FLAT_PLAN_CHARGES_FREE_POLLS: flatPlanChargesFreePolls.valueAsString,
      DATED_STATS_WITHOUT_MATCH_CHARGED: datedStatsWithoutMatchCharged.valueAsString,
    };
  }

  #marketplace(): Environment {
    return {
      MARKETPLACE_URL: this.#parameters.marketplaceUrl.valueAsString,
      MARKETPLACE_KEY_SECRET: this.#secrets.marketplaceKey.secretArn,
    };
  }

  #tableNames(): Environment {
    return {
      WATCHLIST_TABLE: this.#tables.watchlist.tableName,
      SNAPSHOTS_TABLE: this.#tables.snapshots.tableName,
    };
  }
}
