// A meeting of two writers at one item: the state before, each writer's work, and every possible
// outcome. A test lists all outcomes of a meeting: an extra one is a lost update, a missing one a
// condition that refuses a valid write.
import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as everyStore from '#shared/dynamo/store-list.ts';
import { openStores, type Stores } from '#shared/dynamo/stores.ts';
import {
  createMemoryBudgetStore,
  createMemoryFeedStore,
  createMemoryMarketStateStore,
} from '#test/support/memory-stores.ts';
import { startDynaliteTables, type TestTables } from '#test/support/tables.ts';
import { createTurns, inEveryOrder, type Turns, type Write } from './orders.ts';

/** The outcome of one order: each writer's result, and the final state. */
export type Outcome = readonly [a: unknown, b: unknown, left: unknown];

interface Encounter<S, G> {
  /** Creates the state before; the writers get its result. */
  given: (stores: S) => Promise<G>;
  a: (stores: S, given: G) => Promise<unknown>;
  b: (stores: S, given: G) => Promise<unknown>;
  /** The part of the final state that the meeting is about. */
  left: (stores: S) => Promise<unknown>;
  /** Each outcome once, in any order. */
  outcomes: readonly Outcome[];
  /** Maximum number of times that a writer that could continue has to wait (orders.ts). @default 3 */
  interruptions?: number;
}

/** An encounter whose writers wait for their turns. */
export interface Meeting<S> {
  begin: (stores: S) => Promise<{ a: Write; b: Write }>;
  left: (stores: S) => Promise<unknown>;
  outcomes: readonly Outcome[];
  interruptions: number;
}

export function meeting<S, G>({
  given,
  a,
  b,
  interruptions = 3,
  ...rest
}: Encounter<S, G>): Meeting<S> {
  const begin = async (stores: S) => {
    const there = await given(stores);
    return { a: () => a(stores, there), b: () => b(stores, there) };
  };
  return { begin, interruptions, ...rest };
}

interface Arena<S> {
  stores: S;
  turns: Turns;
  clear: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Meetings at stores over DynamoDB's emulator. */
export function describeMeetings(name: string, meetings: Record<string, Meeting<Stores>>): void {
  describeIn(`${name} in DynamoDB`, openEmulator, meetings);
}

/** The stores that also have a memory version. */
export type PollingStores = Pick<Stores, 'feeds' | 'budget' | 'marketState'>;

/**
 * Meetings at stores over DynamoDB's emulator and at memory stores. A memory store does in one step what
 * takes several requests, so not every outcome can happen; but no other may.
 */
export function describePollingMeetings(
  name: string,
  meetings: Record<string, Meeting<PollingStores>>,
): void {
  describeIn<PollingStores>(`${name} in DynamoDB`, openEmulator, meetings);
  describeIn<PollingStores>(`${name} in memory`, openMemory, meetings, 'some');
}

function describeIn<S>(
  name: string,
  open: () => Promise<Arena<S>>,
  meetings: Record<string, Meeting<S>>,
  which: 'all' | 'some' = 'all',
): void {
  describe(name, () => {
    let arena: Arena<S>;
    beforeAll(async () => {
      arena = await open();
    });
    afterAll(() => arena.stop());

    it.each(Object.entries(meetings))('%s', async (_title, meeting) => {
      const found = await outcomesOf(arena, meeting);
      const listed = inOrder(meeting.outcomes);
      expect(found).toEqual(
        which === 'all' ? listed : listed.filter((each) => found.includes(each)),
      );
    });
  });
}

async function outcomesOf<S>(
  { stores, turns, clear }: Arena<S>,
  { begin, left, interruptions }: Meeting<S>,
): Promise<string[]> {
  const found: Outcome[] = [];
  await inEveryOrder(
    { turns, interruptions },
    async () => {
      await clear();
      return begin(stores);
    },
    async (run) => {
      found.push([run.a, run.b, await left(stores)]);
    },
  );
  return inOrder(found);
}

/** As text, because outcomes with the same text are equal. */
function inOrder(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map((outcome) => JSON.stringify(outcome, plain)))].sort();
}

function plain(_key: string, value: unknown): unknown {
  if (value === undefined) return 'none';
  return value instanceof Set ? [...value].sort() : value;
}

async function openEmulator(): Promise<Arena<Stores>> {
  const tables = await startDynaliteTables();
  const turns = createTurns();
  tables.client.middlewareStack.add((next) => (args) => turns.step(() => next(args)), {
    step: 'initialize',
    name: 'turns',
  });
  return {
    stores: openStores(tables.client, tables.names, everyStore),
    turns,
    clear: () => emptyTables(tables),
    stop: tables.stop,
  };
}

async function emptyTables({ client, names }: TestTables): Promise<void> {
  await Promise.all(Object.values(names).map((name) => emptyTable(client, name)));
}

async function emptyTable(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  for (const { pk, sk } of Items) {
    await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  }
}

async function openMemory(): Promise<Arena<PollingStores>> {
  const turns = createTurns();
  const stores = memoryStores(turns);
  return {
    stores,
    turns,
    clear: async () => {
      Object.assign(stores, memoryStores(turns));
    },
    stop: async () => {},
  };
}

function memoryStores(turns: Turns): PollingStores {
  return {
    feeds: inSteps(createMemoryFeedStore(), turns),
    budget: inSteps(createMemoryBudgetStore(), turns),
    marketState: inSteps(createMemoryMarketStateStore(), turns),
  };
}

/** Each call of the store is one step. */
function inSteps<T extends object>(store: T, turns: Turns): T {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => turns.step(async () => Reflect.apply(member, target, args));
    },
  });
}
