// A test of a channel: the words that were sent, and what became of them.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedChannel, ListedDelivery } from '../../api/calls.ts';
import { listAlerts, readDelivery } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { useLive } from '../../state/live.ts';
import { reasonWords } from '../../words/reasons.ts';

export interface SentTest {
  delivery: ListedDelivery;
  message: { headline: string; paragraphs: readonly string[] };
}

const askEveryMs = 1_500;
const seldomMs = 60_000;
const over: readonly string[] = ['sent', 'unconfirmed', 'failed', 'suppressed', 'skipped'];

export function ChannelTest({ test, channel }: { test: SentTest; channel: ListedChannel }) {
  const { id } = test.delivery;
  const path = { id };
  const everyMs = useSignal(askEveryMs);
  const { data } = useLive((signal) => send(readDelivery, { path, signal }), [id], everyMs.value);
  const alerts = useLive(
    (signal) => send(listAlerts, { query: { limit: 1 }, signal }),
    [],
    seldomMs,
  );
  const delivery = data.value ?? test.delivery;
  const isOver = over.includes(delivery.status);
  useEffect(() => {
    if (isOver) everyMs.value = seldomMs;
  }, [isOver]);
  const sample = alerts.data.value?.data[0];
  return (
    <div class="sent">
      <blockquote>
        <b>{test.message.headline}</b>
        {test.message.paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </blockquote>
      <p role="status" class={isOver && delivery.status !== 'sent' ? 'alarm-text' : ''}>
        {testWords(delivery, channel)}
      </p>
      {sample && (
        <p class="small muted">
          An alert begins with its price. Your newest one: “{sample.headline}”
        </p>
      )}
    </div>
  );
}

/** What became of a test, in a sentence. */
export function testWords(
  { status, reason, attempts }: Pick<ListedDelivery, 'status' | 'reason' | 'attempts'>,
  { status: channelStatus }: Pick<ListedChannel, 'status'>,
): string {
  const answer = attempts.at(-1)?.response_excerpt;
  const why = reason ? `: ${reasonWords(reason)}` : '';
  const said = answer ? ` It answered “${answer}”.` : '';
  if (status === 'sent')
    return channelStatus === 'active' ? 'It arrived.' : 'It arrived; the channel is on again.';
  if (status === 'unconfirmed') return `The receiver took it, but its answer is not clear.${said}`;
  if (over.includes(status)) return `It did not arrive${why}.${said}`;
  return attempts.length === 0 ? 'On its way …' : `Not yet${why}. It is tried again.`;
}
