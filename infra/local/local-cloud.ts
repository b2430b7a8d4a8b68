/**
 * The whole system on this machine: the synthesized stack, the marketplace and a webhook receiver.
 * Acts as the operator (sets the marketplace's key and a webhook for notices, returns the first API
 * key); runs the product unchanged.
 */
import * as z from 'zod';
import { pointOperatorWebhook, readOperatorWebhook } from '#shared/delivery/operator-webhook.ts';
import { type CloudAssembly, readCloudAssembly } from './assembly/cloud-assembly.ts';
import { synthesize } from './assembly/synthesize.ts';
import type { CloudFacts, DataFolder } from './data-folder.ts';
import { WebhookReceiver } from './demo/webhook-receiver.ts';
import { LocalRunError } from './errors.ts';
import type { StartEnvironment } from './lambda/execution-environment.ts';
import { LocalStack } from './local-stack.ts';
import { type Ports, portBlock } from './loopback.ts';
import { type MarketplaceOptions, type RunningMarketplace, runMarketplace } from './marketplace.ts';
import type { Observer } from './resources/cloud.ts';

/** The schedules' unit: with `--tick 5s` a one-minute schedule fires every 5 s. */
const minuteMs = 60_000;
const emailSender = 'alerts@getin.example';

const adminKeySchema = z.object({ prefix: z.string(), secret: z.string() });

export type MarketSource = MarketplaceOptions['source'];

export interface LocalCloudOptions {
  data: DataFolder;
  /** The first of a block of ports; 0 for free ports. */
  port: number;
  source: MarketSource;
  /** Overrides of the template's parameters. */
  parameters?: Readonly<Record<string, string>>;
  /** Overrides of the marketplace's rate limits. */
  rateLimits?: MarketplaceOptions['rateLimits'];
  /** Duration of one schedule minute, in milliseconds. @default 60,000 */
  tickMs?: number;
  /** An existing assembly. @default synthesized into the data folder */
  assemblyFolder?: string;
  observer: Observer;
  /** Starts the functions' environments. @default threads of this process */
  startEnvironment?: StartEnvironment;
  onProgress?: (line: string) => void;
  /** Aborts the start, as Ctrl-C does. */
  signal?: AbortSignal;
}

export interface LocalCloud {
  facts: CloudFacts;
  stack: LocalStack;
  marketplace: RunningMarketplace;
  receiver: WebhookReceiver;
  /** Reports progress, as the start did. */
  onProgress(line: string): void;
  /** Starts schedules and queues: from now on prices are polled and alerts fire. */
  startTriggers(): void;
  /** Stops everything in order; keeps the data. */
  stop(): Promise<void>;
}

/**
 * Starts everything but the triggers, so that a caller can create watches first.
 *
 * @throws LocalRunError for a used port, a broken template, or another fault that a person can fix
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    return await bringUp(options, started, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(
  options: LocalCloudOptions,
  started: { stop(): Promise<void> }[],
  stop: () => Promise<void>,
): Promise<LocalCloud> {
  const { data, signal, onProgress = () => {} } = options;
  const ports = await portBlock(options.port);
  const [assembly, marketplace] = await obtainAssemblyAndMarketplace(options, started, ports);
  signal?.throwIfAborted();

  const receiver = new WebhookReceiver(data.file('webhook-receiver.json'));
  const webhooks = await receiver.listen(ports.webhooks);
  started.push(receiver);

  onProgress('Provisioning tables, queues, functions and routes');
  const stack = await LocalStack.provision({
    assembly,
    parameters: {
      MarketplaceUrl: marketplace.url,
      EmailSender: emailSender,
      // The sandbox's pulls are free, and its market may run fast.
      DailyPullCap: '1000000',
      MonthlyPullCap: '10000000',
      LoopbackWebhooks: 'allowed',
      ...options.parameters,
    },
    dataFolder: data.path,
    ports,
    timeScale: (options.tickMs ?? minuteMs) / minuteMs,
    observer: options.observer,
    startEnvironment: options.startEnvironment,
  });
  started.push(stack);
  signal?.throwIfAborted();
  stack.secrets.put(outputOf(stack, 'MarketplaceKeySecret'), marketplace.keys.main);
  receiver.trust(putOperatorWebhook(stack, `${webhooks}/operator`));

  const facts: CloudFacts = {
    api: outputOf(stack, 'ApiUrl'),
    marketplace: marketplace.url,
    inbox: stack.endpoints.ses,
    webhooks,
    api_key: adminKeyOf(stack),
    marketplace_key: marketplace.keys.main,
    operator_key: marketplace.keys.operator,
    pid: process.pid,
  };
  const startTriggers = (): void => stack.startTriggers();
  return { facts, stack, marketplace, receiver, onProgress, startTriggers, stop };
}

/** Both at once: each takes seconds of one core, and neither needs the other. */
async function obtainAssemblyAndMarketplace(
  options: LocalCloudOptions,
  started: { stop(): Promise<void> }[],
  ports: Ports,
): Promise<[CloudAssembly, RunningMarketplace]> {
  const { data, rateLimits, source, assemblyFolder, onProgress = () => {} } = options;
  // A faulty one is refused before the marketplace makes 90 days of prices.
  const given = assemblyFolder === undefined ? undefined : readCloudAssembly(assemblyFolder);
  onProgress('Starting the marketplace');
  const starting = runMarketplace({
    port: ports.marketplace,
    dbFile: data.file('marketplace.db'),
    source,
    ...(rateLimits && { rateLimits }),
    onProgress,
  }).then((marketplace) => {
    started.push(marketplace);
    return marketplace;
  });
  // A failure of one waits for the other, so that what has started is also stopped.
  const [assembly, marketplace] = await Promise.allSettled([
    given ?? synthesizeAssembly(options),
    starting,
  ]);
  if (assembly.status === 'rejected') throw assembly.reason;
  if (marketplace.status === 'rejected') throw marketplace.reason;
  return [assembly.value, marketplace.value];
}

async function synthesizeAssembly(options: LocalCloudOptions): Promise<CloudAssembly> {
  options.onProgress?.('Synthesizing the stack');
  const outputFolder = options.data.file('cdk.out');
  await synthesize({ outputFolder, ...(options.signal && { signal: options.signal }) });
  return readCloudAssembly(outputFolder);
}

function outputOf(stack: LocalStack, name: string): string {
  const value = stack.outputs[name];
  if (value === undefined) throw new LocalRunError(`The template has no output ${name}.`);
  return value;
}

/** @returns the secret that signs the operator's notices */
function putOperatorWebhook(stack: LocalStack, url: string): string {
  const arn = outputOf(stack, 'OperatorWebhookSecret');
  const pointed = pointOperatorWebhook(stack.secrets.get(arn) ?? '', url);
  stack.secrets.put(arn, pointed);
  return readOperatorWebhook(pointed).secret;
}

/** The first API key, read from its secret as an operator does after a deployment. */
function adminKeyOf(stack: LocalStack): string {
  const stored = stack.secrets.get(outputOf(stack, 'AdminKeySecret')) ?? '{}';
  const { prefix, secret } = adminKeySchema.parse(JSON.parse(stored));
  return prefix + secret;
}
