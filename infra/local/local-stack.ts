/**
 * One synthesized stack, running on this machine: its emulators, its resources and, once started,
 * its triggers. Knows nothing of the product: any template of known types runs.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { AwsService } from './access/aws-call.ts';
import type { GatekeeperOptions } from './access/gatekeeper.ts';
import type { CloudAssembly } from './assembly/cloud-assembly.ts';
import { realClock, type ScheduleClock } from './clock.ts';
import { startDynamoDb } from './emulators/dynamodb.ts';
import type { Emulator } from './emulators/emulator.ts';
import { SecretStore, startSecretsManager } from './emulators/secrets-manager.ts';
import { startSes } from './emulators/ses.ts';
import { startSqs } from './emulators/sqs.ts';
import { LocalRunError } from './errors.ts';
import { ExecutionEnvironment, type StartEnvironment } from './lambda/execution-environment.ts';
import type { LocalFunction } from './lambda/local-function.ts';
import type { Ports } from './loopback.ts';
import { provisionTemplate } from './provision-template.ts';
import { type Cloud, type Observer, principalsOf } from './resources/cloud.ts';

const region = 'us-east-1';
/** The account id of the SQS emulator. */
const accountId = '000000000000';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
/**
 * No server listens there, so a call to a service that is not emulated fails at once on this
 * machine.
 */
const nowhere = 'http://127.0.0.1:9';

export interface LocalStackOptions {
  assembly: CloudAssembly;
  parameters: Record<string, string>;
  /** The folder of tables and secrets. */
  dataFolder: string;
  ports: Ports;
  /** @default a real clock */
  clock?: ScheduleClock;
  /** Run time per template time of the schedules. @default 1 */
  timeScale?: number;
  observer: Observer;
  /** @default threads of this process */
  startEnvironment?: StartEnvironment | undefined;
}

type Emulators = Record<'dynamoDb' | 'sqs' | 'ses' | 'secretsManager', Emulator>;

export class LocalStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoints: Readonly<Record<keyof Emulators, string>>;
  readonly secrets: SecretStore;
  readonly #cloud: Cloud;
  readonly #emulators: Emulators;

  private constructor(cloud: Cloud, emulators: Emulators, outputs: Record<string, string>) {
    this.#cloud = cloud;
    this.#emulators = emulators;
    this.outputs = outputs;
    this.secrets = cloud.secrets;
    this.endpoints = {
      dynamoDb: emulators.dynamoDb.url,
      sqs: emulators.sqs.url,
      ses: emulators.ses.url,
      secretsManager: emulators.secretsManager.url,
    };
  }

  /**
   * Provisions the whole stack; its HTTP API answers, but its triggers don't fire yet.
   *
   * @throws LocalRunError for a part of the template that can't run here
   */
  static async provision(options: LocalStackOptions): Promise<LocalStack> {
    mkdirSync(options.dataFolder, { recursive: true });
    const secrets = new SecretStore(join(options.dataFolder, 'secrets.json'));
    const emulators = await startEmulators(options, secrets);
    const cloud = emptyCloud(options, emulators, secrets);
    try {
      const outputs = await provisionTemplate(options, cloud);
      const principals = principalsOf(cloud);
      for (const emulator of Object.values(emulators)) emulator.hold(principals);
      return new LocalStack(cloud, emulators, outputs);
    } catch (error) {
      await stopAll(cloud, emulators);
      throw error;
    }
  }

  /** Starts the schedules and the event sources. */
  startTriggers(): void {
    for (const trigger of this.#cloud.triggers) trigger.start();
  }

  /** Each function's label, such as `reconcile`, and its name in AWS. */
  get functionNames(): ReadonlyMap<string, string> {
    const { functions } = this.#cloud;
    return new Map(functions.map(({ label, accessKeyId }) => [label, accessKeyId]));
  }

  /** Invokes a function by its label, such as `reconcile`, and returns its answer. */
  invoke(label: string, event: unknown) {
    const found = this.#cloud.functions.find((candidate) => candidate.label === label);
    if (!found) throw new LocalRunError(`The stack has no function ${label}.`);
    return found.invoke(event);
  }

  /**
   * Whether no message waits or is in progress (except dead letters) and no function runs.
   *
   * @param ignored labels of functions to ignore, with their queues
   */
  async isIdle(ignored: readonly string[] = []): Promise<boolean> {
    const counts = ({ label }: LocalFunction): boolean => !ignored.includes(label);
    if (this.#cloud.functions.some((one) => counts(one) && one.inFlight > 0)) return false;
    const drained = this.#cloud.queues.filter(({ drainedBy }) => drainedBy && counts(drainedBy));
    const depths = await Promise.all(drained.map(({ url }) => this.#depth(url)));
    return depths.every((depth) => depth === 0);
  }

  async stop(): Promise<void> {
    await stopAll(this.#cloud, this.#emulators);
  }

  async #depth(queueUrl: string): Promise<number> {
    const { Attributes = {} } = await this.#cloud.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    return (
      Number(Attributes.ApproximateNumberOfMessages) +
      Number(Attributes.ApproximateNumberOfMessagesNotVisible) +
      Number(Attributes.ApproximateNumberOfMessagesDelayed)
    );
  }
}

async function startEmulators(
  { ports, dataFolder, observer }: LocalStackOptions,
  secrets: SecretStore,
): Promise<Emulators> {
  const access = (service: AwsService): GatekeeperOptions => ({
    ...{ service, region, accountId },
    onDenied: (message) => observer.trouble(`Access denied. ${message}`),
  });
  const starting = {
    dynamoDb: startDynamoDb({
      port: ports.dynamodb,
      folder: join(dataFolder, 'dynamodb'),
      access: access('dynamodb'),
    }),
    sqs: startSqs(ports.sqs, access('sqs')),
    ses: startSes({
      port: ports.inbox,
      mailFile: join(dataFolder, 'inbox.db'),
      access: access('ses'),
    }),
    secretsManager: startSecretsManager(ports.secretsManager, secrets, access('secretsmanager')),
  };
  const settled = await Promise.allSettled(Object.values(starting));
  if (settled.some(({ status }) => status === 'rejected')) {
    await Promise.all(settled.map((one) => one.status === 'fulfilled' && one.value.stop()));
  }
  return {
    dynamoDb: await starting.dynamoDb,
    sqs: await starting.sqs,
    ses: await starting.ses,
    secretsManager: await starting.secretsManager,
  };
}

function emptyCloud(
  options: LocalStackOptions,
  { dynamoDb, sqs, ses, secretsManager }: Emulators,
  secrets: SecretStore,
): Cloud {
  return {
    stackName: options.assembly.stackName,
    region,
    accountId,
    assetPaths: options.assembly.assetPaths,
    dynamoDb: new DynamoDBClient({ endpoint: dynamoDb.url, region, credentials }),
    sqs: new SQSClient({ endpoint: sqs.url, region, credentials }),
    sqsUrl: sqs.url,
    secrets,
    runtimeEnvironment: {
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL: nowhere,
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      AWS_ENDPOINT_URL_SES: ses.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    },
    startEnvironment: options.startEnvironment ?? ((wanted) => new ExecutionEnvironment(wanted)),
    apiPort: options.ports.api,
    clock: options.clock ?? realClock,
    timeScale: options.timeScale ?? 1,
    observer: options.observer,
    functions: [],
    roles: new Map(),
    managedRoles: new Set(),
    roleTakers: new Map(),
    sqsOfFunctions: new Map(),
    asyncConfigs: new Map(),
    queues: [],
    integrations: new Map(),
    httpApis: new Map(),
    triggers: [],
  };
}

/** Stop triggers first, so that no new work starts; then functions, then the emulators. */
async function stopAll(cloud: Cloud, emulators: Emulators): Promise<void> {
  await Promise.all(cloud.triggers.map((trigger) => trigger.stop()));
  await Promise.all([...cloud.httpApis.values()].map(({ gateway }) => gateway.stop()));
  await Promise.all(cloud.functions.map((stopped) => stopped.stop()));
  for (const client of [cloud.sqs, ...cloud.sqsOfFunctions.values()]) client.destroy();
  cloud.dynamoDb.destroy();
  await Promise.all(Object.values(emulators).map((emulator) => emulator.stop()));
}
