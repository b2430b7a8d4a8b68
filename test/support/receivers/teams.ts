// Microsoft Teams, emulated: a flow of Power Automate that posts what its webhook trigger receives. It accepts
// a request before it looks at the card, so a wrong card is accepted and never shown.
import { SlidingWindow } from './rates.ts';
import { type EmulatedReceiver, isObject, objectIn, textAnswer } from './receiver.ts';
import type { ShownMessage } from './shown-text.ts';
import { cardFaults, readCard } from './teams-card.ts';

/** The size of a whole message. */
const bytesLimit = 28 * 1_024;

/** The limits of the old connectors, which a flow has too. */
const windows = [
  [4, 1_000],
  [60, 30_000],
  [100, 3_600_000],
  [150, 7_200_000],
  [1_800, 86_400_000],
] as const;

export interface TeamsFlow extends EmulatedReceiver {
  /** Why runs of the flow failed after its trigger had accepted the request. */
  failedRuns: string[];
}

export function createTeamsFlow(): TeamsFlow {
  const limits = windows.map(([limit, lengthMs]) => new SlidingWindow(limit, lengthMs));
  const messages: ShownMessage[] = [];
  const failedRuns: string[] = [];
  return {
    messages,
    failedRuns,
    answer({ body }, now) {
      const waitMs = Math.max(...limits.map((limit) => limit.take(now)));
      if (waitMs > 0) {
        return textAnswer(429, 'Too Many Requests', {
          'retry-after': String(Math.ceil(waitMs / 1_000)),
        });
      }
      if (Buffer.byteLength(body, 'utf8') > bytesLimit) {
        return textAnswer(413, '{"error":{"code":"RequestEntityTooLarge"}}');
      }
      const payload = objectIn(body);
      if (!payload) return textAnswer(400, '{"error":{"code":"InvalidRequestContent"}}');
      const attachments = Array.isArray(payload.attachments) ? payload.attachments : [];
      if (attachments.length === 0) failedRuns.push("'attachments' is Null");
      for (const attachment of attachments) {
        const { contentType, content } = isObject(attachment) ? attachment : {};
        const faults =
          contentType === 'application/vnd.microsoft.card.adaptive'
            ? cardFaults(content)
            : [`has the content type ${String(contentType)}`];
        failedRuns.push(...faults);
        if (faults.length > 0 || !isObject(content)) continue;
        const shown = readCard(content);
        const summary = { text: String(payload.summary ?? ''), marks: [] };
        messages.push({ ...shown, id: String(messages.length), at: now, notification: summary });
      }
      return textAnswer(202, '');
    },
  };
}
