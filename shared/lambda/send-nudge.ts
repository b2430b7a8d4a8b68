// Enqueues the evaluation of a feed.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { SendMessages } from './queue-sender.ts';

export type SendNudge = (message: EvaluateMessage) => Promise<void>;

/** Sends single nudges; each belongs to its event's message group. */
export function createSendNudge(sendNudges: SendMessages): SendNudge {
  return (message) => sendNudges([{ body: message, group: String(message.eventId) }]);
}
