// The parts, and the start data of each: its port, its data, its links to the others.
import { join } from 'node:path';
import type { Links } from '../links/links.ts';
import type { CloudData } from './cloud.ts';

export const partNames = ['dynamoDb', 'sqs', 'ses', 'secrets', 'marketplace', 'cloud'] as const;
export type PartName = (typeof partNames)[number];

/** The start data of a part. Port 0 means any free port. */
export interface Stand {
  /** The run's own folder. */
  folder: string;
  assemblyFolder: string;
  /** Speed factor of the functions' own timers, so that a lost answer costs little. */
  timers: number;
  links: Links;
  ports: Record<PartName, number>;
  marketplace: { url: string };
  marketplaceFile: string;
}

const region = 'us-east-1';
/** Each function that calls it does so over its own link to the receivers. */
const botApi = 'https://telegram.example';

export function startDataOf(name: PartName, stand: Stand): object {
  const { folder, ports, marketplaceFile: dbFile } = stand;
  const port = ports[name];
  switch (name) {
    case 'dynamoDb':
      return { port, folder: join(folder, 'dynamodb') };
    case 'sqs':
    case 'ses':
      return { port };
    case 'secrets':
      return { port, file: join(folder, 'data', 'secrets.json') };
    case 'marketplace':
      return { port, dbFile };
    case 'cloud':
      return cloudData(stand);
  }
}

function cloudData(stand: Stand): CloudData {
  const { folder, assemblyFolder, timers, links, ports, marketplace } = stand;
  const sqs = links.ofEventSources.url;
  return {
    assemblyFolder,
    dataFolder: join(folder, 'data'),
    logFile: join(folder, 'functions.log'),
    apiPort: ports.cloud,
    parameters: {
      MarketplaceUrl: marketplace.url,
      EmailSender: 'alerts@getin.example',
      DailyPullCap: '1000000',
      MonthlyPullCap: '10000000',
      LoopbackWebhooks: 'allowed',
      TelegramApiUrl: botApi,
    },
    ...{ region, sqs, dynamoDb: `http://127.0.0.1:${ports.dynamoDb}` },
    replacements: links.endpoints({ FAULTS_TIMER_RATE: String(timers) }),
    rewrites: links.rewrites({ sqs, marketplace: marketplace.url, receiver: botApi }),
  };
}
