// Tests of the functions run over the simulated DynamoDB, so it must answer as dynalite does, whatever is asked.
import { type DynamoDBDocumentClient, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startDynaliteTables, startSimulatedTables } from '../tables.ts';
import { anyRequest, type Command, TableName } from './any-requests.ts';

/** What is answered, with items whose order is not defined in one order; the error's name where it is refused. */
async function answerOf(client: DynamoDBDocumentClient, command: Command): Promise<unknown> {
  try {
    const { $metadata, ConsumedCapacity, ...answer } = (await client.send(
      command as never,
    )) as Record<string, unknown>;
    const { Items, Responses } = answer as {
      Items?: object[];
      Responses?: Record<string, object[]>;
    };
    const isOrdered = command instanceof QueryCommand && command.input.IndexName === undefined;
    if (Items && !isOrdered) return { ...answer, Items: inOrder(Items) };
    return Responses ? inOrder(Responses[TableName] ?? []) : answer;
  } catch (error) {
    return (error as Error).name;
  }
}

function inOrder(items: readonly object[]): object[] {
  const keyText = (of: object) => JSON.stringify([Reflect.get(of, 'pk'), Reflect.get(of, 'sk')]);
  return items.toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
}

it('answers any requests as dynalite does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 30 }), async (commands) => {
      const [dynalite, simulated] = [await startDynaliteTables(), startSimulatedTables()];
      for (const command of [...commands, new ScanCommand({ TableName })]) {
        const asked = JSON.stringify(command.input);
        const expected = await answerOf(dynalite.client, command);
        expect([asked, await answerOf(simulated.client, command)]).toEqual([asked, expected]);
      }
    }),
    { numRuns: 100 },
  );
});
