/** Controls the cloud's process: starts it, sends it requests, receives its logs, stops it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LocalRunError } from '#infra/local/errors.ts';
import type {
  CloudFacts,
  CloudMessage,
  CloudOptions,
  CloudOrder,
  LogEntry,
  ProcessSample,
  ReceivedMail,
} from './cloud-messages.ts';

const program = fileURLToPath(new URL('./cloud-process.ts', import.meta.url));
/** A cloud that does not stop in this time is killed. */
const stoppingMs = 20_000;

export interface RunningCloud {
  facts: CloudFacts;
  startTriggers(): void;
  sampleProcess(): Promise<ProcessSample>;
  /** Takes all mail out of the inbox, which would otherwise keep it in memory. */
  emptyInbox(): Promise<ReceivedMail[]>;
  /** Stops it in an orderly way; also works after it has died. */
  stop(): Promise<void>;
}

export interface CloudListener {
  /** Called with each wanted log event and the time at which it was received, epoch ms. */
  onLog(entry: LogEntry, at: number): void;
  /** Every error, one line each. */
  onTrouble(line: string): void;
}

/** @throws LocalRunError for a problem that a person can fix, or Error with the reason that the cloud gave */
export async function startCloud(
  options: CloudOptions,
  listener: CloudListener,
  signal: AbortSignal,
): Promise<RunningCloud> {
  const child = fork(program, [JSON.stringify(options)]);
  const order = (given: CloudOrder): void => void (child.connected && child.send(given));
  const ready = Promise.withResolvers<CloudFacts>();
  const ended = Promise.withResolvers<never>();
  const samples: ((sample: ProcessSample) => void)[] = [];
  const inboxes: ((mails: ReceivedMail[]) => void)[] = [];
  let isStopping = false;
  child.on('message', (message: CloudMessage) => {
    if (message.kind === 'ready') ready.resolve(message.facts);
    if (message.kind === 'failed') ready.reject(refusalOf(message));
    if (message.kind === 'log') listener.onLog(message.entry, message.at);
    // Errors during the stop are ignored.
    if (message.kind === 'trouble' && !isStopping) listener.onTrouble(message.line);
    if (message.kind === 'sample') samples.shift()?.(message.sample);
    if (message.kind === 'mails') inboxes.shift()?.(message.mails);
  });
  child.once('exit', () => ended.reject(new Error('The cloud ended by itself.')));
  const stop = async (): Promise<void> => {
    isStopping = true;
    await end(child, order);
  };
  signal.addEventListener('abort', () => order('stop'), { once: true });
  const facts = await Promise.race([ready.promise, ended.promise]);
  const answerTo = <Answer>(given: CloudOrder, waiting: ((answer: Answer) => void)[]) => {
    const answer = new Promise<Answer>((resolve) => waiting.push(resolve));
    order(given);
    return Promise.race([answer, ended.promise]);
  };
  return {
    facts,
    startTriggers: () => order('start triggers'),
    sampleProcess: () => answerTo('sample the process', samples),
    emptyInbox: () => answerTo('empty the inbox', inboxes),
    stop,
  };
}

function refusalOf({ reason, isBadInput }: Extract<CloudMessage, { kind: 'failed' }>): Error {
  return isBadInput ? new LocalRunError(reason) : new Error(reason);
}

async function end(child: ChildProcess, order: (given: CloudOrder) => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  order('stop');
  const timer = setTimeout(() => child.kill('SIGKILL'), stoppingMs);
  await exited;
  clearTimeout(timer);
}
