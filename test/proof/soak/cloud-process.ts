/**
 * Runs the local cloud in its own process, so that its memory is measured apart from the load generator's.
 * Forked with options, controlled by messages; it changes nothing in the cloud.
 */
import type { Worker } from 'node:worker_threads';
import { DataFolder } from '#infra/local/data-folder.ts';
import { LocalRunError, messageOf } from '#infra/local/errors.ts';
import { type LocalCloud, startLocalCloud } from '#infra/local/local-cloud.ts';
import type { Observer } from '#infra/local/resources/cloud.ts';
import { parseEntry } from '#infra/local/terminal/log-lines.ts';
import type { CloudMessage, CloudOptions, CloudOrder } from './cloud-messages.ts';
import { takeMails } from './inbox.ts';
import { sampleProcess } from './process-sample.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as CloudOptions;
const threads = new Set<Worker>();
const stopping = new AbortController();
const tell = (message: CloudMessage): void => void process.send?.(message);

process.on('worker', (thread: Worker) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit(1));

const data = DataFolder.open(options.folder);
const orders: CloudOrder[] = [];
let obey = (order: CloudOrder): void => {
  orders.push(order);
  if (order === 'stop') stopping.abort();
};
process.on('message', (order: CloudOrder) => obey(order));

try {
  const cloud = await startLocalCloud({
    data,
    port: 0,
    source: { kind: 'none' },
    tickMs: options.tickMs,
    ...(options.assembly !== undefined && { assemblyFolder: options.assembly }),
    observer: createReporter(),
    signal: stopping.signal,
  });
  const { api, marketplace, inbox, api_key: apiKey, operator_key: operatorKey } = cloud.facts;
  const { sqs } = cloud.stack.endpoints;
  obey = (order) => void carryOut(cloud, order);
  tell({ kind: 'ready', facts: { api, marketplace, inbox, sqs, apiKey, operatorKey } });
  for (const order of orders) obey(order);
} catch (error) {
  data.close();
  const isBadInput = error instanceof LocalRunError;
  process.send?.({ kind: 'failed', reason: messageOf(error), isBadInput }, () => process.exit(1));
}

function createReporter(): Observer {
  return {
    logLine(label, line) {
      const entry = parseEntry(line);
      if (entry && options.wanted.includes(entry.message)) {
        tell({ kind: 'log', at: Date.now(), label, entry: { ...entry } });
      } else if (!entry || entry.level === 'ERROR') {
        if (!isMetrics(line)) tell({ kind: 'trouble', line: `${label}: ${line}` });
      }
    },
    functionFailed: (label, { errorType, errorMessage }) =>
      tell({ kind: 'trouble', line: `${label} failed: ${errorType}: ${errorMessage}` }),
    trouble: (line) => tell({ kind: 'trouble', line }),
  };
}

/** Metrics use the same stream, in CloudWatch's own format. */
function isMetrics(line: string): boolean {
  return line.startsWith('{"_aws":');
}

async function carryOut(cloud: LocalCloud, order: CloudOrder): Promise<void> {
  if (order === 'start triggers') return cloud.startTriggers();
  if (order === 'sample the process') {
    return tell({ kind: 'sample', sample: await sampleProcess(threads) });
  }
  if (order === 'empty the inbox') return tell({ kind: 'mails', mails: takeMails() });
  await cloud.stop();
  data.close();
  process.exit(0);
}
