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
  const measured: Measured = { ...readJson('measured.json'), functions: functionWork() };
  const prices: Prices & { asOf: string; region: string } = readJson('prices-2026-11.json');
  const rows = sizes.map((watches) => {
    const cost = monthlyCost({ ...load, watches }, { measured, assumed, prices });
    const { dynamoDb, lambda, sqs, mail, observability, aws, pulls } = cost;
    const cells = [dynamoDb, lambda, sqs, mail, observability, aws, aws / watches, pulls];
    return `| ${[count(watches), ...cells.map(dollars)].join(' | ')} |`;
  });
  print(`Prices of ${prices.asOf}, ${prices.region}, in dollars a month:\n`);
  print('| watches | DynamoDB | Lambda | SQS | mail | observing | AWS in all | a watch | pulls |');
  print('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  return print(rows.join('\n'));
});

/** Measured by test/proof/bench/memory.ts, at the memory of prod. */
function functionWork(): Measured['functions'] {
  const { functions }: { functions: Record<string, { unitCpuMs: number; unitWaitMs: number }> } =
    readJson('measured-functions.json');
  const { dispatch, reconcile, poll, evaluate, sendEmail } = configFor('prod');
  const work = (name: string, { memoryMb }: { memoryMb: number }): FunctionWork => {
    const { unitCpuMs: cpuMs = 0, unitWaitMs: waitMs = 0 } = functions[name] ?? {};
    return { memoryMb, cpuMs, waitMs };
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
