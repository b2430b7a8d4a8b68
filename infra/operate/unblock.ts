/** `npm run unblock -- ADDRESS`: lifts the block of an address that bounced or complained. */
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { createSuppressionStore } from '#shared/dynamo/suppressions.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { createDynamo } from '#shared/lambda/aws-clients.ts';
import { OperatorError, readFlags, runOperation, stageFlag } from './command.ts';
import { liftSuppression } from './lift-suppression.ts';
import { outputOfStage } from './stage-output.ts';

const usage = `npm run unblock -- ADDRESS [--stage dev|prod] [--look]

Lifts the block of an address in the stack's own list and in SES's account list. --look only
shows the blocks. After a complaint, lift it only if the reader asks for it. A channel that
was switched off meanwhile needs POST /v1/channels/{id}/unblock, which asks its reader again.`;

await runOperation(async () => {
  const { values, positionals } = readFlags({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'dev' },
      look: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const [address = ''] = positionals;
  if (positionals.length !== 1 || !/^\S+@\S+$/.test(address)) {
    throw new OperatorError(`Name one mail address, not "${positionals.join(' ')}".`);
  }
  const table = await outputOfStage(stageFlag(values.stage), 'WatchlistTable');
  const said = await liftSuppression(address, {
    suppressions: createSuppressionStore(createWatchlistTable(createDynamo(), table)),
    ses: new SESv2Client({}),
    isLookOnly: values.look,
    now: Date.now(),
  });
  process.stdout.write(`${said.join('\n')}\n`);
  return 0;
});
