// A DynamoDB client that remembers what the tables answered to some work, and gives the same answers to the same work
// again after the time that AWS takes: so that a bench measures the work and not the emulator.
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A single read or write, and a query or a batch of up to 100 reads, within a region. */
export const awsLatencyMs = { single: 5, many: 12 };

interface Sent {
  input: {
    TableName?: string;
    Key?: object;
    Item?: { pk?: unknown; sk?: unknown };
    RequestItems?: Record<string, { Keys: Record<string, unknown>[] }>;
  };
  constructor: { name: string };
}

interface Answers {
  /** In the order in which they were given; the last one is given again. */
  kept: unknown[];
  given: number;
}

/** What a request is about: a write by its item, because stamps in it are random. */
function placeOf({ input, constructor: { name } }: Sent): string {
  const { Key, Item } = input;
  const item = Key ?? (Item && { pk: Item.pk, sk: Item.sk });
  return `${name} ${item ? JSON.stringify(item) : JSON.stringify(input)}`;
}

/** Answers of the tables, recorded once and replayed as often as the same work is done. */
export function createReplay() {
  const answers = new Map<string, Answers>();
  const items = new Map<string, unknown>();
  const counted = { requests: 0 };

  function keep(place: string, answer: unknown): void {
    const found = answers.get(place) ?? { kept: [], given: 0 };
    found.kept.push(answer);
    answers.set(place, found);
  }

  function next(place: string): unknown {
    const found = answers.get(place);
    if (!found) throw new Error(`the recording has no answer to ${place.slice(0, 200)}`);
    const answer = found.kept[Math.min(found.given, found.kept.length - 1)];
    found.given += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  }

  return {
    counted,

    /** Records the answers of the tables. Reads must be single, which a client that gathers them may batch later. */
    recording: (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
      const send = async (command: Sent) => {
        const place = placeOf(command);
        try {
          const answer: unknown = await client.send(command as never);
          keep(place, answer);
          if (command.constructor.name === 'GetCommand' && !items.has(place)) {
            items.set(place, (answer as { Item?: unknown }).Item);
          }
          return answer;
        } catch (error) {
          keep(place, error);
          throw error;
        }
      };
      return Object.create(client, { send: { value: send } });
    },

    /** Begins the recording anew, for another round of the same work. */
    rewind(): void {
      for (const found of answers.values()) found.given = 0;
      counted.requests = 0;
    },

    /** Gives the recorded answers. */
    replaying: (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
      const send = async (command: Sent) => {
        const { name } = command.constructor;
        counted.requests += 1;
        const isMany = /Batch|Query/.test(name);
        await wait(isMany ? awsLatencyMs.many : awsLatencyMs.single);
        const { RequestItems } = command.input;
        if (!RequestItems) return next(placeOf(command));
        const read = (Key: Record<string, unknown>) =>
          items.get(`GetCommand ${JSON.stringify(Key)}`) ?? [];
        const found = Object.entries(RequestItems).map(([table, { Keys }]) => [
          ...[table, Keys.flatMap(read)],
        ]);
        return { Responses: Object.fromEntries(found), $metadata: {} };
      };
      return Object.create(client, { send: { value: send } });
    },
  };
}
