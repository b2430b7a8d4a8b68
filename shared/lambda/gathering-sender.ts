// Batches messages sent within a short time, because SQS charges per call.
import type { OutgoingMessage, SendMessages } from './queue-sender.ts';

/** Alerts of one snapshot reach their queue within a few milliseconds of each other. */
const gatheringMs = 5;

/**
 * A sender that waits a moment for more messages and sends them together. If that fails, it fails for all of
 * them, even those whose messages were accepted, so receivers must accept duplicates.
 */
export function gatherSends(
  sendMessages: SendMessages,
  wait: (ms: number) => Promise<void> = defaultWait,
): SendMessages {
  let gathered: OutgoingMessage[] = [];
  let sending: Promise<void> | undefined;

  async function sendGathered(): Promise<void> {
    await wait(gatheringMs);
    const messages = gathered;
    gathered = [];
    sending = undefined;
    await sendMessages(messages);
  }

  return function sendTogether(messages) {
    gathered.push(...messages);
    sending ??= sendGathered();
    return sending;
  };
}

function defaultWait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
