// Gathers what is sent at about the same time, so that SQS takes it in few calls: each is paid for.
import type { OutgoingMessage, SendMessages } from './queue-sender.ts';

/** Alerts of one snapshot reach their queue within a few milliseconds of each other. */
const gatheringMs = 5;

/**
 * A sender that waits a moment for others and sends everything together. When that fails it fails for
 * all of them, also for those whose messages were accepted: their receivers must bear a repetition.
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
