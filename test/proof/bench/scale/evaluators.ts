// The evaluate queue and its function in simulated time: as many invocations at once as the stack allows, each with a
// processor of its own.
import { composeEvaluate, evaluateStores } from '#functions/evaluate/compose-evaluate.ts';
import { createEvaluateMessage } from '#functions/evaluate/evaluate-message.ts';
import { shareReads } from '#functions/evaluate/shared-reads.ts';
import { configFor } from '#infra/config.ts';
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import { openStores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { gatherReads } from '#shared/lambda/gathered-reads.ts';
import { gatherSends } from '#shared/lambda/gathering-sender.ts';
import type { OutgoingMessage, SendMessages } from '#shared/lambda/queue-sender.ts';
import { timing } from '#shared/timing.ts';
import type { openSimulatedTables } from '#test/support/simulated-dynamodb/simulated-tables.ts';
import type { SimulatedTime } from '#test/support/simulated-dynamodb/simulated-time.ts';

/** A batch of messages to SQS, and from the queue to a function. */
const sendMs = 10;
const receiveMs = 20;
const messagesPerSend = 10;

interface Waiting {
  message: EvaluateMessage;
  sentAt: number;
  receivableAt: number;
}

export interface EvaluatorsEnd {
  alerts: number;
  invocations: number;
  /** The most at once. */
  atOnce: number;
  failed: string[];
}

type Tables = ReturnType<typeof openSimulatedTables>;

/** Handles the message, and all that follow from it. */
export async function runEvaluators(
  time: SimulatedTime,
  tables: Tables,
  first: EvaluateMessage,
): Promise<EvaluatorsEnd> {
  const { batchSize, maxConcurrency } = configFor('prod').evaluate;
  const queue: Waiting[] = [];
  const running = new Set<Promise<void>>();
  const end: EvaluatorsEnd = { alerts: 0, invocations: 0, atOnce: 0, failed: [] };
  const idle: ReturnType<typeof openEvaluator>[] = [];

  const sendNudges = sender((messages) => {
    for (const { body, delaySeconds = 0 } of messages) {
      const receivableAt = time.now() + receiveMs + delaySeconds * 1_000;
      queue.push({ message: body as EvaluateMessage, sentAt: time.now(), receivableAt });
    }
  });

  function sender(accept: (messages: readonly OutgoingMessage[]) => void): SendMessages {
    return async (messages) => {
      for (let start = 0; start < messages.length; start += messagesPerSend) {
        await time.sleep(sendMs);
        accept(messages.slice(start, start + messagesPerSend));
      }
    };
  }

  function openEvaluator() {
    const senders = gatherSends(sender(() => {}));
    const stores = openStores(gatherReads(tables.client), tables.names, evaluateStores);
    return createEvaluateMessage({
      evaluate: composeEvaluate({
        stores: shareReads(stores, time.now),
        senders: sendersByKind({ email: senders, webhook: senders }),
        sendNudges,
        release: 'bench',
        now: time.now,
        onRaised: () => {
          end.alerts += 1;
        },
      }),
      sendNudges,
      observability: {
        logger: {
          info: () => {},
          error: (...words: unknown[]) => void end.failed.push(String(words[1])),
        },
        metrics: { addMetric: () => {} },
      } as never,
      now: time.now,
    });
  }

  async function invoke(batch: readonly Waiting[]): Promise<void> {
    const evaluate = idle.pop() ?? openEvaluator();
    const endsAt = time.elapsedMs + timing.timeoutSeconds.evaluate * 1_000;
    const remainingMs = () => endsAt - time.elapsedMs;
    await Promise.all(
      batch.map(({ message, sentAt }) =>
        evaluate(message, { remainingMs, sentAt, receiveCount: 1 }).catch(
          (error: unknown) => void end.failed.push(String(error)),
        ),
      ),
    );
    if (remainingMs() < 0) end.failed.push('an invocation ran into its timeout');
    idle.push(evaluate);
  }

  await sendNudges([{ body: first, group: '' }]);
  while (queue.length > 0 || running.size > 0) {
    const due = queue.filter(({ receivableAt }) => receivableAt <= time.now());
    if (due.length > 0 && running.size < maxConcurrency) {
      const batch = due.slice(0, batchSize);
      queue.splice(0, queue.length, ...queue.filter((each) => !batch.includes(each)));
      end.invocations += 1;
      const invocation: Promise<void> = invoke(batch).finally(() => {
        running.delete(invocation);
        time.processors = running.size;
      });
      running.add(invocation);
      time.processors = running.size;
      end.atOnce = Math.max(end.atOnce, running.size);
    } else {
      await Promise.race([...running, time.sleep(receiveMs)]);
    }
  }
  return end;
}
