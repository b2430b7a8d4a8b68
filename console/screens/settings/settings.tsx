// The settings: the owner, defaults of watches, keys, files in and out, and the end of everything.
import {
  type Defaults,
  type KeyJson,
  type ListedChannel,
  listChannels,
  listKeys,
  type OwnerJson,
  readDefaults,
  readOwner,
} from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send, sendVersioned, type Versioned } from '../../api/send.ts';
import { Failed, Waiting } from '../../parts/states.tsx';
import { useLive } from '../../state/live.ts';
import { canWrite, isAdmin } from '../../state/session.ts';
import { DefaultsForm } from './defaults-form.tsx';
import { DeleteAll } from './delete-all.tsx';
import { DeletedWatches } from './deleted-watches.tsx';
import { ImportCard } from './import-card.tsx';
import { Jobs } from './jobs.tsx';
import { Keys } from './keys.tsx';
import { NewOwner } from './new-owner.tsx';
import { OwnerForm } from './owner-form.tsx';
import { Published } from './published.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { TakeAlong } from './take-along.tsx';

interface SettingsData {
  owner: OwnerJson;
  defaults: Versioned<Defaults>;
  channels: readonly ListedChannel[];
  keys: readonly KeyJson[];
}

/** Settings change by hand only. */
const everyMs = 60_000;

async function readSettings(signal: AbortSignal): Promise<SettingsData> {
  const [owner, defaults, channels, keys] = await Promise.all([
    send(readOwner, { signal }),
    sendVersioned(readDefaults, { signal }),
    readAll(listChannels, { signal }),
    readAll(listKeys, { signal }),
  ]);
  return { owner, defaults, channels, keys };
}

export function Settings() {
  const { data, error } = useLive(readSettings, [], everyMs);
  if (!data.value) {
    return error.value ? <Failed error={error.value} /> : <Waiting what="your settings" />;
  }
  const { owner, defaults, channels, keys } = data.value;
  return (
    <>
      <div class="title">
        <h1>Settings</h1>
        {!canWrite.value && <span class="muted">This key can only read.</span>}
      </div>
      <div class="grid settings-page">
        <div class="stack">
          <OwnerForm key={JSON.stringify(owner)} owner={owner} />
          <DefaultsForm
            key={JSON.stringify(defaults.body)}
            defaults={defaults.body}
            version={defaults.version}
            channels={channels}
          />
          <Keys keys={keys} />
          <DeletedWatches />
        </div>
        <div class="stack">
          <SignInCard />
          <TakeAlong />
          <ImportCard />
          <Jobs />
          <Published />
          {isAdmin.value && <NewOwner />}
          {canWrite.value && <DeleteAll owner={owner} />}
        </div>
      </div>
    </>
  );
}
