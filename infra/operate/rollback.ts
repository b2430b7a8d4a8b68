/** `npm run rollback`: the functions run again what they ran before the last deployment, or at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import { connectAws } from './aws-connection.ts';
import { readFlags, runOperation, stageFlag, terminal } from './command.ts';
import { enterRegionOf } from './place.ts';
import { rollbackUsage, runRollback } from './run-rollback.ts';

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
  if (values.help) {
    terminal.say(rollbackUsage);
    return 0;
  }
  const pin = enterRegionOf(stageFlag(values.stage));
  const request = { pin, at: values.at, isCheck: values.check, isConfirmed: values.yes };
  return runRollback(request, { clients: connectAws(), ...terminal, wait });
});
