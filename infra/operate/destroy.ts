/** `npm run destroy`: deletes a stack, and first says what is kept and what is deleted. */
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { connectAws } from './aws-connection.ts';
import {
  OperatorError,
  readFlags,
  runCdk,
  runOperation,
  stackNameOf,
  stageFlag,
} from './command.ts';
import { placeOf } from './place.ts';
import { describeStack } from './stack.ts';

const usage = `npm run destroy -- [--stage dev|prod] [--yes] [--unprotect]

Of dev everything is deleted but the SES identity of the sender's domain. Of prod the tables, secrets and
logs are kept too; delete them by hand. --unprotect lifts prod's protection from deletion first.`;

await runOperation(async () => {
  const { values } = readFlags({
    args: process.argv.slice(2),
    options: {
      stage: { type: 'string', default: 'dev' },
      yes: { type: 'boolean', default: false },
      unprotect: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const stage = stageFlag(values.stage);
  const stackName = stackNameOf(stage);
  const { accountId, region } = await placeOf(stage);
  const stack = await describeStack(stackName);
  if (stack === undefined) {
    throw new OperatorError(`There is no stack ${stackName} in account ${accountId}, ${region}.`);
  }
  const fate =
    stage === 'prod'
      ? 'Tables, secrets, logs and an SES identity are kept; everything else is deleted.'
      : 'Everything is deleted, including all watches and data; an SES identity is kept.';
  process.stdout.write(`Stack ${stackName} in account ${accountId}, ${region}. ${fate}\n`);
  if (stack.isProtected) await unprotect(stackName, values.unprotect);
  const confirmed = values.yes ? ['--force'] : [];
  return runCdk(['destroy', stackName, '-c', `stage=${stage}`, ...confirmed]);
});

/** @throws OperatorError if that is not what the person asked for */
async function unprotect(StackName: string, isAsked: boolean): Promise<void> {
  if (!isAsked) {
    throw new OperatorError(
      `Stack ${StackName} is protected from deletion. To delete it, give --unprotect too.`,
    );
  }
  await connectAws().cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
  );
}
