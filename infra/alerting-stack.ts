/**
 * The whole alerting system: the functions and their triggers. access.ts has the permissions,
 * config.ts the sizes, the constructs the resources.
 */
import { fileURLToPath } from 'node:url';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { feedKindRows, feedKinds } from '#shared/polling/feed-kinds.ts';
import { timing } from '#shared/timing.ts';
import { type FunctionName, functionAccess, functionNames } from './access.ts';
import { checkConfigTiming, checkTiming } from './check-timing.ts';
import type { StackConfig, WorkerSize } from './config.ts';
import { AccountAlarms } from './constructs/account-alarms.ts';
import { Alarms } from './constructs/alarms.ts';
import { AlertPromise } from './constructs/alert-promise.ts';
import { BusinessAlarms } from './constructs/business-metrics.ts';
import { Canaries } from './constructs/canaries.ts';
import { buildConsole } from './constructs/console-bundle.ts';
import { OnCallDashboard } from './constructs/dashboard.ts';
import { Email } from './constructs/email.ts';
import { Halt } from './constructs/halt.ts';
import { PublicHttpApi } from './constructs/http-api.ts';
import { grantAccess, type Reachable } from './constructs/permissions.ts';
import { ProductFunction, type ProductFunctionProps } from './constructs/product-function.ts';
import { ScheduledFunction } from './constructs/scheduled-function.ts';
import { Secrets } from './constructs/secrets.ts';
import { SyntheticAlarm } from './constructs/synthetic-alarm.ts';
import { Tables } from './constructs/tables.ts';
import { Worker } from './constructs/worker.ts';
import { declareOutputs } from './outputs.ts';
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

type WorkerName = Exclude<FunctionName, 'api' | 'chart' | 'console' | 'dispatch' | 'reconcile'>;

interface RoutedFunction extends Pick<ProductFunctionProps, 'makeFiles'> {
  readonly name: 'chart' | 'console';
  readonly paths: readonly string[];
}

export class AlertingStack extends Stack {
  readonly #config: StackConfig;
  readonly #functionsFolder: string;
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, props: AlertingStackProps) {
    const { keepData, alarms: thresholds, stage, alertPromise } = props.config;
    super(scope, id, {
      terminationProtection: keepData,
      tags: { project: 'getin', stage },
      ...props,
    });
    checkTiming(timing);
    checkConfigTiming(props.config);
    this.#config = props.config;
    this.#functionsFolder = props.functionsFolder ?? productFunctions;
    const parameters = declareParameters(this);
    this.#alarms = new Alarms(this, 'Alarms', {
      operatorEmail: parameters.operatorEmail.valueAsString,
    });
    const alarms = this.#alarms;
    const protection = parameters.tableProtection.valueAsString;
    const restored = {
      watchlist: parameters.restoredWatchlist.valueAsString,
      snapshots: parameters.restoredSnapshots.valueAsString,
    };
    const tables = new Tables(this, 'Tables', { keepData, protection, restored, alarms });
    const secrets = new Secrets(this, 'Secrets', props.config);
    const email = new Email(this, 'Email', {
      sender: parameters.emailSender.valueAsString,
      senderDomain: parameters.senderDomain.valueAsString,
      alarms,
      thresholds,
    });
    const workers = this.#workers();
    const api = this.#api(parameters);
    const lambdas = this.#lambdas(workers, api);
    email.grantSend(lambdas['send-email']);
    email.feedBackTo(workers['mail-feedback']);
    this.#grantAll(lambdas, {
      tables,
      secrets,
      queues: {
        poll: workers.poll.queue,
        evaluate: workers.evaluate.queue,
        email: workers['send-email'].queue,
        webhook: workers['send-webhook'].queue,
        jobs: workers.jobs.queue,
      },
      variables: {
        MARKETPLACE_URL: parameters.marketplaceUrl.valueAsString,
        EMAIL_SENDER: parameters.emailSender.valueAsString,
        CONFIGURATION_SET: email.configurationSetName,
        LOOPBACK_WEBHOOKS: parameters.loopbackWebhooks.valueAsString,
        TELEGRAM_API_URL: parameters.telegramApiUrl.valueAsString,
        OPERATOR_EMAIL: parameters.operatorEmail.valueAsString,
        DAILY_PULL_CAP: parameters.dailyPullCap.valueAsString,
        MONTHLY_PULL_CAP: parameters.monthlyPullCap.valueAsString,
        OWNER_WATCH_QUOTA: parameters.ownerWatchQuota.valueAsString,
        ALERT_RETENTION_DAYS: parameters.alertRetentionDays.valueAsString,
        VERSION_RETENTION_DAYS: parameters.versionRetentionDays.valueAsString,
        FLAT_PLAN_CHARGES_FREE_POLLS: parameters.flatPlanChargesFreePolls.valueAsString,
        DATED_STATS_WITHOUT_MATCH_CHARGED: parameters.datedStatsWithoutMatchCharged.valueAsString,
        BUY_LINK_TEMPLATES: parameters.buyLinkTemplates.valueAsString,
        SYNTHETIC_EVENT: parameters.syntheticEvent.valueAsString,
        PUBLIC_URL: api.url,
      },
    });
    const { metrics } = new BusinessAlarms(this, 'Business', { stage, alarms, thresholds });
    const event = parameters.syntheticEvent.valueAsString;
    new SyntheticAlarm(this, 'Synthetic', { stage, alarms, event });
    const promise = new AlertPromise(this, 'Promise', { stage, alarms, promise: alertPromise });
    new Canaries(this, 'Canaries', {
      pace: parameters.releasePace.valueAsString,
      alarms,
      targets: {
        Api: api,
        Evaluate: workers.evaluate,
        SendEmail: workers['send-email'],
        SendWebhook: workers['send-webhook'],
      },
    });
    new AccountAlarms(this, 'Account', { alarms, thresholds });
    new OnCallDashboard(this, 'OnCall', {
      ...{ alarms, metrics, promise },
      workers: Object.values(workers),
      functions: Object.values(lambdas),
      ...{ tables, api, email },
    });
    new Halt(this, 'Halt', { work: parameters.work.valueAsString, api: api.lambda });
    declareOutputs(this, { secrets, api, tables, workers: Object.values(workers) });
  }

  #workers(): Record<WorkerName, Worker> {
    const { poll, evaluate, sendEmail, sendWebhook, mailFeedback, jobs } = this.#config;
    return {
      poll: this.#worker('Poll', 'poll', poll),
      evaluate: this.#worker('Evaluate', 'evaluate', evaluate),
      'send-email': this.#worker('SendEmail', 'send-email', sendEmail),
      'send-webhook': this.#worker('SendWebhook', 'send-webhook', sendWebhook),
      'mail-feedback': this.#worker('MailFeedback', 'mail-feedback', mailFeedback),
      jobs: this.#worker('Jobs', 'jobs', jobs),
    };
  }

  #lambdas(
    workers: Record<WorkerName, Worker>,
    api: PublicHttpApi,
  ): Record<FunctionName, LambdaFunction> {
    return {
      api: api.lambda,
      // Pictures of messages, which many people open at once.
      chart: this.#route(api, 'Chart', { name: 'chart', paths: ['/c/{token}'] }),
      console: this.#route(api, 'Console', {
        name: 'console',
        paths: ['/', '/console/{proxy+}'],
        makeFiles: buildConsole,
      }),
      dispatch: this.#dispatch().lambda,
      poll: workers.poll.lambda,
      evaluate: workers.evaluate.lambda,
      'send-email': workers['send-email'].lambda,
      'send-webhook': workers['send-webhook'].lambda,
      'mail-feedback': workers['mail-feedback'].lambda,
      jobs: workers.jobs.lambda,
      reconcile: this.#reconcile().lambda,
    };
  }

  #dispatch(): ScheduledFunction {
    return new ScheduledFunction(this, 'Dispatch', {
      name: 'dispatch',
      entry: this.#entry('dispatch'),
      size: this.#config.dispatch,
      config: this.#config,
      alarms: this.#alarms,
      every: Duration.minutes(this.#config.pollEveryMinutes),
      schedules: Object.fromEntries(
        feedKinds.map((kind) => [feedKindRows[kind].schedule, { feed_kind: kind }]),
      ),
    });
  }

  #reconcile(): ScheduledFunction {
    return new ScheduledFunction(this, 'Reconcile', {
      name: 'reconcile',
      entry: this.#entry('reconcile'),
      size: this.#config.reconcile,
      config: this.#config,
      alarms: this.#alarms,
      every: Duration.minutes(this.#config.reconcileEveryMinutes),
      schedules: { Clock: {} },
    });
  }

  #api({ apiDomain, apiCertificate }: ReturnType<typeof declareParameters>): PublicHttpApi {
    return new PublicHttpApi(this, 'Api', {
      entry: this.#entry('api'),
      config: this.#config,
      alarms: this.#alarms,
      domain: apiDomain.valueAsString,
      certificateArn: apiCertificate.valueAsString,
    });
  }

  /** A function of its own for some paths of the API. */
  #route(
    api: PublicHttpApi,
    id: string,
    { name, paths, makeFiles }: RoutedFunction,
  ): LambdaFunction {
    const size = this.#config[name];
    const { lambda, live } = new ProductFunction(this, id, {
      ...{ name, size, entry: this.#entry(name), reservedConcurrency: size.reservedConcurrency },
      ...{ config: this.#config, alarms: this.#alarms, makeFiles },
    });
    api.addRoutes(paths, live, size);
    return lambda;
  }

  #grantAll(lambdas: Record<FunctionName, LambdaFunction>, reachable: Reachable): void {
    for (const name of functionNames) grantAccess(lambdas[name], functionAccess[name], reachable);
  }

  #worker(id: string, name: FunctionName, size: WorkerSize): Worker {
    return new Worker(this, id, {
      name,
      entry: this.#entry(name),
      size,
      config: this.#config,
      alarms: this.#alarms,
    });
  }

  #entry(name: FunctionName): string {
    return `${this.#functionsFolder}${name}/handler.ts`;
  }
}
