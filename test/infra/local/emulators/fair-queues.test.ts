import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderFairly, type WaitingMessage } from '#infra/local/emulators/fair-queues.ts';
import { startSqs } from '#infra/local/emulators/sqs.ts';
import { createQueueSender } from '#shared/lambda/queue-sender.ts';
import { unguarded } from '../../../proof/faults/parts/unguarded.ts';

const message = (messageId: string, messageGroupId?: string): WaitingMessage => ({
  messageId,
  messageGroupId,
});
const idsOf = (messages: readonly WaitingMessage[]) => messages.map(({ messageId }) => messageId);

describe('the order of a fair queue', () => {
  it('takes turns between groups, the oldest of each first', () => {
    const waiting = [
      ...[message('a1', 'a'), message('a2', 'a'), message('a3', 'a')],
      ...[message('b1', 'b'), message('b2', 'b')],
    ];
    expect(idsOf(orderFairly(waiting, [], 4))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('prefers the group with fewer messages in flight', () => {
    const waiting = [message('a3', 'a'), message('b1', 'b'), message('b2', 'b')];
    const inFlight = [message('a1', 'a'), message('a2', 'a')];
    expect(idsOf(orderFairly(waiting, inFlight, 2))).toEqual(['b1', 'b2', 'a3']);
  });

  it('treats each message without a group as its own group', () => {
    const waiting = [message('a1', 'a'), message('a2', 'a'), message('x'), message('y')];
    expect(idsOf(orderFairly(waiting, [], 3))).toEqual(['a1', 'x', 'y', 'a2']);
  });

  it('keeps every message once, and the order within each group', () => {
    const messages = fc.array(fc.constantFrom('a', 'b', 'c', undefined), { maxLength: 30 });
    fc.assert(
      fc.property(messages, messages, fc.integer({ min: 1, max: 10 }), (waits, flies, count) => {
        const waiting = waits.map((group, index) => message(`w${index}`, group));
        const inFlight = flies.map((group, index) => message(`f${index}`, group));
        const ordered = orderFairly(waiting, inFlight, count);
        expect(idsOf(ordered).toSorted()).toEqual(idsOf(waiting).toSorted());
        for (const group of ['a', 'b', 'c']) {
          const ofGroup = (all: WaitingMessage[]) =>
            idsOf(all.filter(({ messageGroupId }) => messageGroupId === group));
          expect(ofGroup(ordered)).toEqual(ofGroup(waiting));
        }
      }),
    );
  });
});

describe('a local queue', () => {
  let stop: () => Promise<void>;
  let sqs: SQSClient;
  let url: string;
  beforeAll(async () => {
    const emulator = await startSqs(0, unguarded('sqs'));
    ({ stop, url } = emulator);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    sqs = new SQSClient({ endpoint: url, region: 'us-east-1', credentials });
  });
  afterAll(async () => {
    sqs.destroy();
    await stop();
  });

  async function makeQueue(name: string): Promise<string> {
    await sqs.send(new CreateQueueCommand({ QueueName: name }));
    return new URL(`/000000000000/${name}`, url).href;
  }

  async function receive(queueUrl: string, count: number) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: count,
        MessageSystemAttributeNames: ['MessageGroupId'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages.map(({ Body, Attributes, MessageAttributes }) => ({
      body: JSON.parse(Body ?? ''),
      group: Attributes?.MessageGroupId,
      attributes: MessageAttributes,
    }));
  }

  it('delivers the newest message of one group before the backlog of another', async () => {
    const queueUrl = await makeQueue('backlog');
    const send = createQueueSender(sqs, queueUrl);
    await send(Array.from({ length: 40 }, (_, body) => ({ body, group: 'own_slow' })));
    await send([{ body: 'quick', group: 'own_quick' }]);
    expect(await receive(queueUrl, 2)).toEqual([
      { body: 0, group: 'own_slow', attributes: undefined },
      { body: 'quick', group: 'own_quick', attributes: undefined },
    ]);
  });

  it('counts messages in flight by their group', async () => {
    const queueUrl = await makeQueue('in-flight');
    const send = createQueueSender(sqs, queueUrl);
    await send(Array.from({ length: 10 }, (_, body) => ({ body, group: 'own_slow' })));
    await receive(queueUrl, 4);
    await send(['x', 'y', 'z'].map((body) => ({ body, group: 'own_quick' })));
    const next = await receive(queueUrl, 4);
    expect(next.map(({ body }) => body)).toEqual(['x', 'y', 'z', 4]);
  });

  it('accepts a group name that SQS would refuse, under another name', async () => {
    const queueUrl = await makeQueue('odd-groups');
    const groups = ['', 'a b', 'é', 'x'.repeat(129), 'own_a'];
    await createQueueSender(sqs, queueUrl)(groups.map((group) => ({ body: group, group })));
    const received = await receive(queueUrl, 10);
    const named = new Map(received.map(({ body, group }) => [body, group]));
    expect([...named.keys()].toSorted()).toEqual(groups.toSorted());
    for (const group of named.values()) expect(group).toMatch(/^[!-~]{1,128}$/);
    expect(named.get('own_a')).toBe('own_a');
    expect(new Set(named.values()).size).toBe(5);
  });
});
