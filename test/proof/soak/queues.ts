/** Reads the age of the oldest message of each queue from the emulator's internal state. */
import * as z from 'zod';

const listSchema = z.array(z.object({ name: z.string() }));
const messageSchema = z.looseObject({ sentTimestamp: z.number() });
const queueSchema = z.looseObject({
  messages: z.object({
    ready: z.array(messageSchema),
    delayed: z.array(messageSchema),
    inflight: z.array(z.looseObject({ message: messageSchema })),
  }),
});

/** Queues that a function drains, by a readable name. */
const stems = {
  poll: '-PollQueue',
  evaluate: '-EvaluateQueue',
  email: '-SendEmailQueue',
  webhook: '-SendWebhookQueue',
} as const;
export type QueueKind = keyof typeof stems;
export const queueKinds = Object.keys(stems) as QueueKind[];

export type QueueAges = Record<QueueKind, number>;

/** @returns seconds since the oldest message was sent, in flight or waiting; 0 for an empty queue */
export async function readQueueAges(sqs: string, now: number): Promise<QueueAges> {
  const names = listSchema.parse(await read(`${sqs}/_fauxqs/queues`)).map(({ name }) => name);
  const ages: QueueAges = { poll: 0, evaluate: 0, email: 0, webhook: 0 };
  for (const kind of queueKinds) {
    const name = names.find((one) => one.includes(stems[kind]));
    if (name === undefined) throw new Error(`The cloud has no queue of the kind ${kind}.`);
    const { messages } = queueSchema.parse(await read(`${sqs}/_fauxqs/queues/${name}`));
    const held = [...messages.ready, ...messages.inflight.map(({ message }) => message)];
    const oldest = Math.min(now, ...held.map(({ sentTimestamp }) => sentTimestamp));
    ages[kind] = (now - oldest) / 1_000;
  }
  return ages;
}

async function read(url: string): Promise<unknown> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The queues can't be read: ${answer.status}`);
  return answer.json();
}
