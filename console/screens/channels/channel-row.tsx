// A channel of the list: what it is, how it is, and what can be done.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  type ChatLink,
  type KindOfChannel,
  type ListedChannel,
  linkChannel,
  testChannel,
} from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { attempt } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { tellTimesAt } from '../../words/times.ts';
import { confirmAgain, unblock, unmute } from './channel-acts.ts';
import { ChannelSettings } from './channel-settings.tsx';
import { ChannelTest, type SentTest } from './channel-test.tsx';
import { channelName, healthOf, placeOf } from './channel-words.ts';
import { ChatLinks } from './chat-links.tsx';

interface ChannelRowProps {
  channel: ListedChannel;
  kind: KindOfChannel | undefined;
  others: readonly ListedChannel[];
  lastSent: string | undefined;
  /** How many of its newest messages a replay would send again. */
  missed: number;
}

export function ChannelRow({ channel, kind, others, lastSent, missed }: ChannelRowProps) {
  const test = useSignal<SentTest | undefined>(undefined);
  const link = useSignal<ChatLink | undefined>(undefined);
  const isOpen = useSignal(false);
  const health = healthOf(channel, lastSent, tellTimesAt(coarseNow.value, zone.value));
  const path = { id: channel.id };
  useEffect(() => {
    if (channel.status === 'active') link.value = undefined;
  }, [channel.status]);

  const sendTest = () =>
    attempt(async () => {
      const { message, ...delivery } = await send(testChannel, { path });
      test.value = { delivery, message };
    });
  const makeLink = () =>
    attempt(async () => {
      link.value = await send(linkChannel, { path });
    });

  return (
    <article class="channel" aria-label={channelName(channel)}>
      <div class="head">
        <div>
          <h2>{channelName(channel)}</h2>
          <p class="small muted">{aboutOf(channel, kind)}</p>
        </div>
        <span class={`state ${health.look}`}>{health.state}</span>
      </div>
      <p class="muted">
        {health.text}
        {missed > 0 && ` ${missed} of its newest alerts did not arrive.`}
      </p>
      {canWrite.value && (
        <>
          <div class="row">
            {canTest(channel) && (
              <button type="button" onClick={() => void sendTest()}>
                Send a test
              </button>
            )}
            {channel.status === 'unverified' && channel.kind === 'email' && (
              <button type="button" onClick={() => void confirmAgain(channel)}>
                Send the mail again
              </button>
            )}
            {channel.kind === 'telegram' && channel.status !== 'unsubscribed' && (
              <button type="button" onClick={() => void makeLink()}>
                {channel.status === 'unverified' ? 'Make the link' : 'Move to another chat'}
              </button>
            )}
            {canUnblock(channel) && (
              <button type="button" onClick={() => void unblock(channel)}>
                Lift the block
              </button>
            )}
            {channel.snoozed_until !== null && (
              <button type="button" onClick={() => void unmute(channel)}>
                End the snooze
              </button>
            )}
            <button
              type="button"
              class="plain"
              aria-expanded={isOpen.value}
              onClick={() => {
                isOpen.value = !isOpen.value;
              }}
            >
              Settings
            </button>
          </div>
          {link.value && <ChatLinks link={link.value} />}
          {test.value && (
            <ChannelTest key={test.value.delivery.id} test={test.value} channel={channel} />
          )}
          {isOpen.value && <ChannelSettings channel={channel} kind={kind} others={others} />}
        </>
      )}
    </article>
  );
}

function aboutOf(channel: ListedChannel, kind: KindOfChannel | undefined): string {
  return [
    kind?.label ?? channel.kind.replaceAll('_', ' '),
    ...(channel.name === null
      ? []
      : [channel.kind === 'telegram' ? channel.recipient : placeOf(channel)]),
    ...(channel.header_names?.length ? [`with ${channel.header_names.join(', ')}`] : []),
    ...(channel.immediate ? ['at once'] : []),
  ].join(' · ');
}

/** The API refuses a test where the reader has not agreed, or no mail can be sent. */
function canTest({ status, disabled_reason: reason }: ListedChannel): boolean {
  const isAgreed = status === 'active' || status === 'disabled';
  return isAgreed && !(reason?.startsWith('address_') ?? false);
}

function canUnblock({ status, blocked, disabled_reason: reason }: ListedChannel): boolean {
  if (status === 'unsubscribed') return false;
  if (blocked) return blocked.reason !== 'complaint';
  return reason?.startsWith('address_') ?? false;
}
