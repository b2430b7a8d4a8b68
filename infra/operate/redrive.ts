/** `npm run redrive -- QUEUE`: retries a queue's dead letters. */
import { setTimeout as wait } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { OperatorError, readFlags, runOperation, stageFlag } from './command.ts';
import { redriveQueue } from './redrive-queue.ts';
import { outputOfStage } from './stage-output.ts';

/** Queue → the stack output with the URL of its dead-letter queue. */
const deadLetterOutputs: Readonly<Record<string, string>> = {
  poll: 'PollDeadLetters',
  evaluate: 'EvaluateDeadLetters',
  'send-email': 'SendEmailDeadLetters',
  'send-webhook': 'SendWebhookDeadLetters',
  'mail-feedback': 'MailFeedbackDeadLetters',
  jobs: 'JobsDeadLetters',
};

const queues = Object.keys(deadLetterOutputs).join(', ');

const usage = `npm run redrive -- QUEUE [--stage dev|prod] [--per-second N]

QUEUE is one of ${queues}. Fix the cause first: messages that fail again
return to the dead-letter queue. Schedules need no redrive: their next run does the same work.`;

await runOperation(async () => {
  const { values, positionals } = readFlags({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'dev' },
      'per-second': { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const [queue = ''] = positionals;
  const output = deadLetterOutputs[queue];
  if (output === undefined || positionals.length !== 1) {
    throw new OperatorError(`Name one queue of ${queues}, not "${positionals.join(' ')}".`);
  }
  const perSecond = Number(values['per-second']);
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > 500) {
    throw new OperatorError(`--per-second takes 1 to 500, not "${values['per-second']}".`);
  }
  const deadLettersUrl = await outputOfStage(stageFlag(values.stage), output);
  const moved = await redriveQueue({
    sqs: new SQSClient({}),
    deadLettersUrl,
    perSecond,
    wait,
    onProgress: (done, of) => void process.stdout.write(`${done} of about ${of} moved\n`),
  });
  const result = moved === 0 ? 'has no dead letters' : `has ${moved} messages to try again`;
  process.stdout.write(`${queue} ${result}.\n`);
  return 0;
});
