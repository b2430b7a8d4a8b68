/** `npm run deploy`: checks whether a deployment can work, says what it would change, deploys, and sets its secrets. */
import { setTimeout as wait } from 'node:timers/promises';
import { connectAws } from './aws-connection.ts';
import { runCdk, runOperation, terminal } from './command.ts';
import { deployUsage, readDeployRequest } from './deploy-request.ts';
import { deployStack } from './deploy-stack.ts';
import { pinRegion } from './place.ts';

await runOperation(async () => {
  const request = readDeployRequest(process.argv.slice(2), process.env);
  if (request === 'help') {
    terminal.say(deployUsage);
    return 0;
  }
  pinRegion(request.pin, process.env);
  return deployStack(request, {
    clients: connectAws(),
    runCdk,
    wait,
    now: Date.now,
    ...terminal,
  });
});
