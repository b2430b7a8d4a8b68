// What is rarely done to a channel: a new secret, missed alerts again, muted watches, switching off, deleting.
import { useSignal } from '@preact/signals';
import { type ListedChannel, rotateSecret } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Secret } from '../../parts/secret.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { useWatchNames, WatchNames } from '../../parts/watch-names.tsx';
import { now } from '../../state/clock.ts';
import { plural } from '../../words/amounts.ts';
import { deleteAndPause, replaySince, switchOff, tryDelete, unmute } from './channel-acts.ts';

const dayMs = 86_400_000;
const spans = [
  { days: 1, label: 'the last 24 hours' },
  { days: 7, label: 'the last 7 days' },
  { days: 30, label: 'the last 30 days' },
];

export function ChannelRareActs({ channel }: { channel: ListedChannel }) {
  return (
    <div class="rare">
      {channel.kind === 'webhook' && <NewSecret channel={channel} />}
      {channel.muted_watches.length > 0 && <Muted channel={channel} />}
      {channel.status === 'active' && <Replay channel={channel} />}
      {channel.status === 'active' && (
        <button type="button" onClick={() => void switchOff(channel)}>
          Switch off
        </button>
      )}
      <Delete channel={channel} />
    </div>
  );
}

function NewSecret({ channel: { id } }: { channel: ListedChannel }) {
  const secret = useSignal('');
  const rotate = () =>
    attempt(async () => {
      secret.value = (await send(rotateSecret, { path: { id } })).secret;
    });
  return (
    <>
      <button type="button" onClick={() => void rotate()}>
        Make a new secret
      </button>
      {secret.value !== '' && (
        <>
          <Secret label="The new secret, shown once" value={secret.value} />
          <p class="small muted">The old one is valid for another 24 hours.</p>
        </>
      )}
    </>
  );
}

function Muted({ channel }: { channel: ListedChannel }) {
  const names = useWatchNames(channel.muted_watches.map(({ watch }) => watch));
  return (
    <div>
      <p class="muted">Stopped here by its reader:</p>
      <ul class="plain-list">
        {names.map(({ id, name }) => (
          <li key={id} class="row">
            <span>{name}</span>
            <button type="button" onClick={() => void unmute(channel, id)}>
              Send again
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Replay({ channel }: { channel: ListedChannel }) {
  const days = useSignal(1);
  function replay(event: Event): void {
    event.preventDefault();
    const since = now.value - days.value * dayMs;
    void replaySince(channel, new Date(since).toISOString());
  }
  return (
    <form class="row" onSubmit={replay}>
      <button type="submit">Send again what was missed in</button>
      <select
        aria-label="Since when"
        value={days.value}
        onChange={({ currentTarget }) => {
          days.value = Number(currentTarget.value);
        }}
      >
        {spans.map(({ days: value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </form>
  );
}

function Delete({ channel }: { channel: ListedChannel }) {
  const unheard = useSignal<readonly string[]>([]);
  const ask = async () => {
    unheard.value = (await tryDelete(channel)) ?? [];
  };
  const { length } = unheard.value;
  if (length === 0) {
    return (
      <button type="button" class="danger" onClick={() => void ask()}>
        Delete
      </button>
    );
  }
  return (
    <div role="alert">
      <p>
        {length === 1 ? 'This watch has' : 'These watches have'} no other channel:{' '}
        <WatchNames ids={unheard.value} />.
      </p>
      <div class="row">
        <button type="button" class="danger" onClick={() => deleteAndPause(channel, unheard.value)}>
          Delete it and pause {plural(length, 'watch', 'watches')}
        </button>
        <button
          type="button"
          onClick={() => {
            unheard.value = [];
          }}
        >
          Keep it
        </button>
      </div>
    </div>
  );
}
