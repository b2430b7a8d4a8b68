/** `npm run restore`: the tables as they were at a time, and what was sent since kept in mind. */
import { setTimeout as wait } from 'node:timers/promises';
import { documentClient } from '#shared/dynamo/document-client.ts';
import { createWatchlistTable } from '#shared/dynamo/tables.ts';
import { connectAws } from './aws-connection.ts';
import { runCdk, runOperation, terminal } from './command.ts';
import { pinRegion } from './place.ts';
import { bringUpToDate } from './restore/bring-up-to-date.ts';
import { readRestoreRequest, restoreUsage } from './restore/restore-request.ts';
import { runRestore } from './restore/run-restore.ts';

await runOperation(async () => {
  const request = readRestoreRequest(process.argv.slice(2));
  if (request === 'help') {
    terminal.say(restoreUsage);
    return 0;
  }
  pinRegion(request.pin, process.env);
  const clients = connectAws();
  const documents = documentClient(clients.dynamoDb);
  return runRestore(request, {
    ...{ clients, runCdk, wait, ...terminal, now: Date.now },
    bringUpToDate: ({ restored, witness, ...moments }) =>
      bringUpToDate({
        restored: createWatchlistTable(documents, restored),
        witness: createWatchlistTable(documents, witness),
        ...moments,
      }),
  });
});
