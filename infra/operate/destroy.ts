/** `npm run destroy`: deletes a stack, and first says what is kept and what is deleted. */
import { outputsOf, whereTo } from './account-facts.ts';
import {
  OperatorError,
  readFlags,
  runCdk,
  runOperation,
  stackNameOf,
  stageFlag,
} from './command.ts';

const usage = `npm run destroy -- [--stage dev|prod] [--yes]

Of dev everything is deleted. Of prod the tables, secrets and logs are kept; delete them by hand.`;

await runOperation(async () => {
  const { values } = readFlags({
    args: process.argv.slice(2),
    options: {
      stage: { type: 'string', default: 'dev' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const stage = stageFlag(values.stage);
  const stackName = stackNameOf(stage);
  const { accountId, region } = await whereTo();
  if ((await outputsOf(stackName)) === undefined) {
    throw new OperatorError(`There is no stack ${stackName} in account ${accountId}, ${region}.`);
  }
  const fate =
    stage === 'prod'
      ? 'Tables, secrets and logs are kept; everything else is deleted.'
      : 'Everything is deleted, including all watches and data.';
  process.stdout.write(`Stack ${stackName} in account ${accountId}, ${region}. ${fate}\n`);
  const confirmed = values.yes ? ['--force'] : [];
  return runCdk(['destroy', stackName, '-c', `stage=${stage}`, ...confirmed]);
});
