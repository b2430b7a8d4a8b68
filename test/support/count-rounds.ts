// Counts the rounds of requests that some work makes to DynamoDB: requests that are under way together are one
// round, as they take one latency together.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Turns of the event loop without a new request, after which the work waits for the answers. */
const quietTurns = 10;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Holds every request until no further one comes, then lets all of them go: that is a round.
 * @returns the names of the commands, round by round.
 */
export async function roundsOf(
  client: DynamoDBDocumentClient,
  work: () => Promise<unknown>,
): Promise<string[][]> {
  const rounds: string[][] = [];
  let waiting: { name: string; go: () => void }[] = [];
  let underWay = 0;
  let isOver = false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        await new Promise<void>((go) => waiting.push({ name: String(commandName), go }));
        underWay += 1;
        try {
          return await next(args);
        } finally {
          underWay -= 1;
        }
      },
    { step: 'initialize', name: 'rounds' },
  );
  const done = Promise.allSettled([work()]).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    let seen = -1;
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      if (waiting.length !== seen || underWay > 0) quiet = 0;
      seen = waiting.length;
      await turn();
    }
    if (waiting.length === 0) continue;
    const round = waiting;
    waiting = [];
    rounds.push(round.map(({ name }) => name));
    for (const { go } of round) go();
  }
  client.middlewareStack.remove('rounds');
  const [outcome] = await done;
  if (outcome.status === 'rejected') throw outcome.reason;
  return rounds;
}
