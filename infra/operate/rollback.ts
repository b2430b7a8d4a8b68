/** `npm run rollback`: the functions run again what they ran before the last deployment, or at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import { connectAws } from './aws-connection.ts';
import { readFlags, runOperation, stageFlag } from './command.ts';
import { pinRegion } from './place.ts';
import { rollbackUsage, runRollback } from './run-rollback.ts';
import { readStageFile } from './stage-file.ts';

await runOperation(async () => {
  const { values } = readFlags({
    args: process.argv.slice(2),
    options: {
      stage: { type: 'string', default: 'dev' },
      at: { type: 'string' },
      check: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  if (values.help) {
    say(rollbackUsage);
    return 0;
  }
  const stage = stageFlag(values.stage);
  const { account, region } = readStageFile(stage);
  const pin = { stage, account, region };
  pinRegion(pin, process.env);
  const request = { pin, at: values.at, isCheck: values.check, isConfirmed: values.yes };
  const complain = (text: string) => void process.stderr.write(`${text}\n`);
  return runRollback(request, { clients: connectAws(), say, complain, wait });
});
