// The channels: where alerts go, how each of them is, and when the owner wants no alerts.
import {
  type KindOfChannel,
  type ListedChannel,
  type ListedDelivery,
  listChannelKinds,
  listChannels,
  listDeliveries,
  type OwnerJson,
  readOwner,
} from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Failed, Waiting } from '../../parts/states.tsx';
import { leaving } from '../../parts/toasts.tsx';
import { filter, place } from '../../router.ts';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { AddChannel, chooseKind } from './add-channel.tsx';
import { ChannelRow } from './channel-row.tsx';
import { lastSentOf, missedOf } from './channel-words.ts';
import { QuietCard } from './quiet-card.tsx';

/** The newest messages, for when each channel was heard last. */
const newestDeliveries = 100;
/** The kinds change with a release. */
const kindsEveryMs = 3_600_000;

interface ChannelsData {
  channels: readonly ListedChannel[];
  deliveries: readonly ListedDelivery[];
  owner: OwnerJson;
}

async function readChannels(signal: AbortSignal): Promise<ChannelsData> {
  const [channels, { data: deliveries }, owner] = await Promise.all([
    readAll(listChannels, { signal }),
    send(listDeliveries, { query: { limit: newestDeliveries }, signal }),
    send(readOwner, { signal }),
  ]);
  return { channels, deliveries, owner };
}

export function Channels() {
  const { data, error } = useLive(readChannels, []);
  const kinds = useLive((signal) => send(listChannelKinds, { signal }), [], kindsEveryMs);
  const known = data.value;
  if (!known) {
    return error.value ? <Failed error={error.value} /> : <Waiting what="your channels" />;
  }
  return <KnownChannels {...known} kinds={kinds.data.value?.data ?? []} />;
}

function KnownChannels({
  channels,
  deliveries,
  owner,
  kinds,
}: ChannelsData & { kinds: readonly KindOfChannel[] }) {
  const shown = channels.filter(({ id }) => !leaving.value.has(id));
  const lastSent = lastSentOf(deliveries);
  const isAdding = place.value.query.has('add') && canWrite.value && kinds.length > 0;
  return (
    <>
      <div class="title">
        <h1>Channels</h1>
        {canWrite.value ? (
          <button type="button" class="primary" onClick={() => filter({ add: chooseKind })}>
            Add a channel
          </button>
        ) : (
          <span class="muted">This key can only read.</span>
        )}
      </div>
      <div class="grid">
        <section class="card list channels" aria-label="Your channels">
          {shown.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              kind={kinds.find(({ kind }) => kind === channel.kind)}
              others={channels.filter(({ id }) => id !== channel.id)}
              lastSent={lastSent.get(channel.id)}
              missed={missedOf(deliveries, channel.id)}
            />
          ))}
          {shown.length === 0 && <NoChannel />}
        </section>
        <QuietCard key={JSON.stringify(owner)} owner={owner} />
      </div>
      {isAdding && <AddChannel kinds={kinds} channels={channels} />}
    </>
  );
}

function NoChannel() {
  return (
    <div class="blank">
      <h2>Alerts have nowhere to go yet</h2>
      <p class="muted">
        Add a mail address, a chat, your phone, or a program of yours. Each watch says which of them
        it uses.
      </p>
      {canWrite.value && (
        <button type="button" onClick={() => filter({ add: chooseKind })}>
          Choose one
        </button>
      )}
    </div>
  );
}
