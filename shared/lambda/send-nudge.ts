// Asks for a feed to be evaluated.
import type { EvaluateMessage } from '#shared/alerts/evaluation.ts';
import type { SendMessages } from './queue-sender.ts';

export type SendNudge = (message: EvaluateMessage) => Promise<void>;

/** A sender of single nudges; each counts to the backlog of its event. */
export function createSendNudge(sendNudges: SendMessages): SendNudge {
  return (message) => sendNudges([{ body: message, group: String(message.eventId) }]);
}
