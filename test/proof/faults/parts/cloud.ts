// The local cloud as a part: the synthesized stack with its functions, schedules and event sources.
// Its emulators are separate parts, and every function reaches them over links.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { SecretStore } from '#infra/local/emulators/secrets-manager.ts';
import { provisionTemplate } from '#infra/local/provision-template.ts';
import type { Cloud } from '#infra/local/resources/cloud.ts';
import { runNow, setOffset } from '../clock/cell.ts';
import { JumpingClock } from '../clock/jumping-clock.ts';
import { begin, startData, takeOrders } from './orders.ts';
import { Workers } from './workers.ts';

export interface CloudData {
  assemblyFolder: string;
  dataFolder: string;
  /** The listener for the functions' logs. */
  logFile: string;
  apiPort: number;
  region: string;
  parameters: Record<string, string>;
  /** The emulators' addresses for the cloud itself. */
  dynamoDb: string;
  sqs: string;
  /** Replaced environment variables, by function label; `*` for all. */
  replacements: Record<string, Record<string, string>>;
  /** Replaced texts inside any variable, such as an address, by function label. */
  rewrites: Record<string, [from: string, to: string][]>;
}

export interface CloudFacts {
  outputs: Record<string, string>;
  adminKey: string;
}

const data = startData<CloudData>();
const clock = new JumpingClock();
const workers = new Workers({
  replacements: data.replacements,
  rewrites: data.rewrites,
  labelOf: (functionName) =>
    cloud.functions.find(({ accessKeyId }) => accessKeyId === functionName)?.label ?? '',
});
const cloud = emptyCloud();

takeOrders({
  clock: setClock,
  // In one step, so that no function starts in between and sees its time jump.
  clockUnlessBusy: (offsetMs: number) => {
    if (inFlight() > 0) return false;
    setClock(offsetMs);
    return true;
  },
  startTriggers: () => {
    for (const trigger of cloud.triggers) trigger.start();
  },
  putSecret: ({ arn, value }: { arn: string; value: string }) => cloud.secrets.put(arn, value),
  inFlight,
  killWorker: (label: string) => workers.kill(label),
  killAllWorkers: () => workers.kill(),
});

await begin(async (): Promise<CloudFacts> => {
  const assembly = readCloudAssembly(data.assemblyFolder);
  Object.assign(cloud, { stackName: assembly.stackName, assetPaths: assembly.assetPaths });
  const outputs = await provisionTemplate({ assembly, parameters: data.parameters }, cloud);
  return { outputs, adminKey: cloud.secrets.get(outputs.AdminKeySecret ?? '') ?? '{}' };
});

function setClock(offsetMs: number): void {
  setOffset(offsetMs);
  clock.look();
}

/** Invocations that run or wait for their turn. */
function inFlight(): number {
  return cloud.functions.reduce((sum, one) => sum + one.inFlight, 0);
}

function emptyCloud(): Cloud {
  const { region, dynamoDb, sqs, apiPort, dataFolder, logFile } = data;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const log = (label: string, text: string): void =>
    appendFileSync(logFile, `${new Date(runNow()).toISOString()} ${label} ${text}\n`);
  return {
    ...{ stackName: '', assetPaths: new Map(), region, accountId: '000000000000' },
    dynamoDb: new DynamoDBClient({ endpoint: dynamoDb, region, credentials }),
    sqs: new SQSClient({ endpoint: sqs, region, credentials }),
    sqsUrl: sqs,
    secrets: new SecretStore(join(dataFolder, 'secrets.json')),
    runtimeEnvironment: {
      AWS_REGION: region,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    startEnvironment: (options) => workers.start(options),
    ...{ apiPort, clock, timeScale: 1 },
    observer: {
      logLine: log,
      functionFailed: (label, error) => log(label, `FAILED ${JSON.stringify(error)}`),
      trouble: (line) => log('cloud', line),
    },
    ...{ functions: [], queues: [], triggers: [] },
    ...{
      roles: new Map(),
      managedRoles: new Set(),
      roleTakers: new Map(),
      sqsOfFunctions: new Map(),
    },
    ...{ asyncConfigs: new Map(), integrations: new Map(), httpApis: new Map() },
  };
}
