/**
 * Turns fauxqs's standard queues into SQS's fair queues: they keep `MessageGroupId`, which fauxqs
 * drops on standard queues, and first deliver messages of groups with few messages in flight. A
 * message without a group is its own group, as in SQS.
 */

import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The fields of a waiting message that decide the order. */
export interface WaitingMessage {
  messageId: string;
  messageGroupId?: string | undefined;
}

interface FauxqsMessage extends WaitingMessage {
  messageAttributes: object;
}

/** The parts of fauxqs's queue that this file uses or replaces. */
interface FauxqsQueue {
  messages: FauxqsMessage[];
  inflightMessages: Map<string, { message: FauxqsMessage }>;
  isFifo(): boolean;
  processTimers(): void;
  enqueue(message: FauxqsMessage): void;
  dequeue(most: number, ...rest: unknown[]): unknown[];
}

/** A body of SendMessage or SendMessageBatch, as parsed by fauxqs. */
interface SentEntry {
  MessageGroupId?: string;
  MessageAttributes?: object;
}

/** SQS delivers at most this many messages per call. */
const receiveLimit = 10;

/**
 * The group of each sent message, keyed by its attributes: the only object that fauxqs passes on
 * unchanged.
 */
const sentGroups = new WeakMap<object, string>();

/** Stores the groups of a request's messages until fauxqs enqueues them. */
export function noteGroups(body: unknown): void {
  const { Entries = [body] } = (body ?? {}) as { Entries?: unknown };
  if (!Array.isArray(Entries)) return;
  for (const entry of Entries as (SentEntry | null | undefined)[]) {
    if (typeof entry?.MessageGroupId !== 'string') continue;
    entry.MessageAttributes ??= {};
    sentGroups.set(entry.MessageAttributes, entry.MessageGroupId);
  }
}

/** Changes fauxqs's queues for the whole process. Call it before the first queue is read. */
export async function makeQueuesFair(): Promise<void> {
  const manifest = findPackageJSON('fauxqs', import.meta.url);
  if (manifest === undefined) throw new Error('fauxqs is not installed');
  const file = join(dirname(manifest), 'dist/sqs/sqsStore.js');
  const { SqsQueue } = (await import(file)) as { SqsQueue: { prototype: FauxqsQueue } };
  const queue = SqsQueue.prototype;
  if (changed.has(queue)) return;
  changed.add(queue);
  const { enqueue, dequeue } = queue;
  queue.enqueue = function enqueueInGroup(message) {
    message.messageGroupId ??= sentGroups.get(message.messageAttributes);
    enqueue.call(this, message);
  };
  queue.dequeue = function dequeueFairly(most, ...rest) {
    if (!this.isFifo()) {
      this.processTimers();
      const inFlight = [...this.inflightMessages.values()].map(({ message }) => message);
      this.messages = orderFairly(this.messages, inFlight, Math.min(most, receiveLimit));
    }
    return dequeue.call(this, most, ...rest);
  };
}

const changed = new WeakSet<FauxqsQueue>();

/**
 * Moves the next `count` messages to deliver to the front: each is the oldest of the group with the
 * fewest messages in flight, counting those moved before it.
 */
export function orderFairly<Message extends WaitingMessage>(
  waiting: Message[],
  inFlight: readonly WaitingMessage[],
  count: number,
): Message[] {
  const groups = Map.groupBy(waiting, groupOf);
  if (groups.size < 2) return waiting;
  const held = new Map<string, number>();
  const hold = (group: string) => held.set(group, (held.get(group) ?? 0) + 1);
  for (const message of inFlight) hold(groupOf(message));
  const next = new Set<Message>();
  const taken = new Map<string, number>();
  while (next.size < Math.min(count, waiting.length)) {
    const [group, message] = leastHeld(groups, taken, held);
    next.add(message);
    taken.set(group, (taken.get(group) ?? 0) + 1);
    hold(group);
  }
  return [...next, ...waiting.filter((message) => !next.has(message))];
}

function leastHeld<Message>(
  groups: ReadonlyMap<string, Message[]>,
  taken: ReadonlyMap<string, number>,
  held: ReadonlyMap<string, number>,
): [string, Message] {
  let least: { group: string; message: Message; held: number } | undefined;
  for (const [group, messages] of groups) {
    const message = messages[taken.get(group) ?? 0];
    const own = held.get(group) ?? 0;
    if (message !== undefined && (!least || own < least.held))
      least = { group, message, held: own };
  }
  if (!least) throw new Error('more messages were asked for than are waiting');
  return [least.group, least.message];
}

function groupOf({ messageGroupId, messageId }: WaitingMessage): string {
  return messageGroupId ?? `alone ${messageId}`;
}
