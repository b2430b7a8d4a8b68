// A chat that takes messages and edits, and remembers both. The test decides how it answers edits.
import type { EditJudgement } from '#shared/delivery/channels/judgement.ts';
import type { SendEdit } from '#shared/delivery/episodes/edit-message.ts';
import type { Told } from '#shared/delivery/prepare-message.ts';

/** A message in the chat. */
export interface ChatMessage {
  id: string;
  alertIds: string[];
  /** The line about what happened since; undefined before there is one. */
  line: string | undefined;
  /** When it was edited, epoch milliseconds. */
  editedAt: number[];
}

export function createFakeChat(clock: { now: number }) {
  const messages: ChatMessage[] = [];
  const answers: (EditJudgement | Error)[] = [];
  return {
    messages,
    /** The answers to the next edits, an error for a fault of ours; later edits are made. */
    answers,

    /** @returns the id of the new message. */
    post(told: readonly Told[]): string {
      const id = String(messages.length + 1);
      const alertIds = told.map(({ alert }) => alert.alertId);
      messages.push({ id, alertIds, line: undefined, editedAt: [] });
      return id;
    },

    edit: (async ({ message }, _channel, receipt) => {
      const edited = messages.find(({ id }) => id === receipt);
      const answer = answers.shift() ?? { kind: 'edited' as const };
      if (answer instanceof Error) throw answer;
      if (!edited) return { kind: 'gone', reason: 'http_404' };
      if (answer.kind !== 'edited') return answer;
      edited.line = message.alerts[0]?.episode?.line;
      edited.editedAt.push(clock.now);
      return answer;
    }) satisfies SendEdit,
  };
}
