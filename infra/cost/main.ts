/** `npm run cost`: dollars a month at three sizes, for the table of infra/README.md. */
import { readFileSync } from 'node:fs';
import { configFor } from '../config.ts';
import { OperatorError, readFlags, runOperation } from '../operate/command.ts';
import { assumed } from './assumed.ts';
import { type FunctionWork, type Load, type Measured, monthlyCost, type Prices } from './model.ts';

const sizes = [100, 10_000, 1_000_000];

const usage = `npm run cost -- [flags]

  --watches-per-event N   (10)
  --polls-per-day N       of each event (96)
  --news-share N          polls that find something new, 0 to 1 (0.25)
  --alerts-per-watch N    a month (2)`;

await runOperation(async () => {
  const { values } = readFlags({
    args: process.argv.slice(2),
    options: {
      'watches-per-event': { type: 'string', default: '10' },
      'polls-per-day': { type: 'string', default: '96' },
      'news-share': { type: 'string', default: '0.25' },
      'alerts-per-watch': { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(usage);
  const load: Omit<Load, 'watches'> = {
    watchesPerEvent: numberFlag('watches-per-event', values),
    pollsPerEventPerDay: numberFlag('polls-per-day', values),
    newsShare: numberFlag('news-share', values),
    alertsPerWatchPerMonth: numberFlag('alerts-per-watch', values),
  };
  const prices: Prices & { asOf: string; region: string } = readJson('prices-2026-11.json');
  const measured = { singles: measuredFor('singles'), batches: measuredFor('batches') };
  const rows = sizes.map((watches) => {
    const costOf = (arrival: Arrival) =>
      monthlyCost({ ...load, watches }, { measured: measured[arrival], assumed, prices });
    const [singles, batches] = [costOf('singles'), costOf('batches')];
    const { dynamoDb, mail, pulls } = singles;
    const cells = [
      dollars(dynamoDb),
      ...[range('lambda'), range('sqs'), dollars(mail), range('observability'), range('aws')],
      ...[dollars(singles.aws / watches), dollars(pulls)],
    ];
    return `| ${[count(watches), ...cells].join(' | ')} |`;

    function range(part: 'lambda' | 'sqs' | 'observability' | 'aws'): string {
      const [least, most] = [dollars(batches[part]), dollars(singles[part])];
      return least === most ? most : `${least} – ${most}`;
    }
  });
  print(
    `Prices of ${prices.asOf}, ${prices.region}, in dollars a month. Of two numbers the first is for messages in`,
  );
  print('full batches, the second for messages that come one by one:\n');
  print('| watches | DynamoDB | Lambda | SQS | mail | observing | AWS in all | a watch | pulls |');
  print('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  return print(rows.join('\n'));
});

/** How messages reach the workers: `batches` as full as config.ts allows. */
type Arrival = 'singles' | 'batches';

interface MeasuredWork {
  unitCpuMs: number;
  unitWaitMs: number;
  /** Of workers: of a message that comes alone. */
  aloneCpuMs?: number;
  aloneWaitMs?: number;
}

function measuredFor(arrival: Arrival): Measured {
  const { poll, evaluate, sendEmail } = configFor('prod');
  const sizeOf = ({ batchSize }: { batchSize: number }) => (arrival === 'singles' ? 1 : batchSize);
  return {
    ...readJson<Omit<Measured, 'functions' | 'perBatch'>>('measured.json'),
    functions: functionWork(arrival),
    perBatch: {
      ...{ poll: sizeOf(poll), evaluate: sizeOf(evaluate) },
      'send-email': sizeOf(sendEmail),
    },
  };
}

/** Measured by test/proof/bench/memory.ts, at the memory of prod. */
function functionWork(arrival: Arrival): Measured['functions'] {
  const { functions }: { functions: Record<string, MeasuredWork> } =
    readJson('measured-functions.json');
  const { dispatch, reconcile, poll, evaluate, sendEmail } = configFor('prod');
  const work = (name: string, { memoryMb }: { memoryMb: number }): FunctionWork => {
    const found = functions[name];
    if (!found) throw new OperatorError(`measured-functions.json has no ${name}.`);
    const { unitCpuMs, unitWaitMs, aloneCpuMs = unitCpuMs, aloneWaitMs = unitWaitMs } = found;
    const isAlone = arrival === 'singles';
    return {
      memoryMb,
      cpuMs: isAlone ? aloneCpuMs : unitCpuMs,
      waitMs: isAlone ? aloneWaitMs : unitWaitMs,
    };
  };
  return {
    dispatch: work('dispatch', dispatch),
    reconcile: work('reconcile', reconcile),
    poll: work('poll', poll),
    evaluate: work('evaluate', evaluate),
    'send-email': work('send-email', sendEmail),
  };
}

/** @throws OperatorError unless it is a number of 0 or more */
function numberFlag(name: string, values: Record<string, string | boolean | undefined>): number {
  const value = Number(values[name]);
  if (values[name] !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new OperatorError(`--${name} takes a number, not "${values[name]}".`);
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

function dollars(amount: number): string {
  if (amount < 0.01) return amount.toFixed(4);
  return amount < 100 ? amount.toFixed(2) : count(Math.round(amount));
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
