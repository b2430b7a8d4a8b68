// The receivers' servers in a run: the answer of each kind to a post, and the slow
// receivers.
import { setTimeout as wait } from 'node:timers/promises';
import type { Chats } from './chats.ts';
import { Dice } from './dice.ts';
import type { Answer, Request } from './links/exchange.ts';

/** Machine milliseconds; for a function, whose timers run four times as fast, it is up to 7 s. */
const slowestMs = 1_700;
const quickestSlowMs = 250;

export interface ReceiversOptions {
  seed: number;
  chats: Chats;
  /** The run's clock. */
  now: () => number;
  onSlow: (path: string) => void;
}

export function createReceivers({ seed, chats, now, onSlow }: ReceiversOptions) {
  const dice = new Dice(seed, 'receivers');
  return async function receive(request: Request): Promise<Answer> {
    const { path } = request;
    if (path.startsWith('/hook/slow/')) {
      onSlow(path);
      await wait(dice.between(quickestSlowMs, slowestMs));
    }
    return chats.answer(request, now()) ?? answerOf(path);
  };
}

function answerOf(path: string): Answer {
  const headers = {};
  if (path.startsWith('/slack/')) return { status: 200, headers, body: Buffer.from('ok') };
  return { status: path.startsWith('/teams/') ? 202 : 204, headers, body: Buffer.alloc(0) };
}
