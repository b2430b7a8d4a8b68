// What follows when a channel was added: a secret to keep, a link to open, a mail to wait for, a test.
import { useSignal } from '@preact/signals';
import { type ChatLink, type ListedChannel, testChannel } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Secret } from '../../parts/secret.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { ChannelTest, type SentTest } from './channel-test.tsx';
import { ChatLinks } from './chat-links.tsx';

/** The answer to adding a channel. */
export type Added = ListedChannel & { secret?: string | undefined } & {
  [Name in keyof ChatLink]?: ChatLink[Name] | undefined;
};

interface AddedChannelProps {
  added: Added;
  /** As it is now; undefined until the list has it. */
  channel: ListedChannel | undefined;
  onClose: () => void;
}

export function AddedChannel({ added, channel = added, onClose }: AddedChannelProps) {
  const test = useSignal<SentTest | undefined>(undefined);
  const sendTest = () =>
    attempt(async () => {
      const { message, ...delivery } = await send(testChannel, { path: { id: added.id } });
      test.value = { delivery, message };
    });
  const link = chatLinkOf(added);
  const isWaiting = channel.status === 'unverified';
  return (
    <div class="inside">
      {added.secret !== undefined && (
        <>
          <p>Your program checks the signature of each message with this secret.</p>
          <Secret label="Secret, shown once" value={added.secret} />
        </>
      )}
      {isWaiting && link && <ChatLinks link={link} />}
      {isWaiting && !link && (
        <p>
          A mail is on its way to <b>{added.address}</b>. Alerts begin when its reader opens the
          link in it.
        </p>
      )}
      {!isWaiting && added.status === 'unverified' && <p>It is connected. Alerts go there now.</p>}
      {test.value && <ChannelTest test={test.value} channel={channel} />}
      <div class="row">
        {!isWaiting && (
          <button type="button" onClick={() => void sendTest()}>
            Send a test
          </button>
        )}
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

function chatLinkOf(added: Added): ChatLink | undefined {
  const { link_url, group_link_url, link_expires_at } = added;
  if (!link_url || !group_link_url || !link_expires_at) return undefined;
  return { link_url, group_link_url, link_expires_at };
}
