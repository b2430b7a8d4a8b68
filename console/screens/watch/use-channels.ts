// The owner's channels and defaults, kept fresh: a channel that is confirmed meanwhile shows it.
import { type ListedChannel, listChannels, readDefaults } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { useLive } from '../../state/live.ts';
import type { KnownChannels } from './chosen-channels.ts';

export interface Channels extends KnownChannels {
  channels: ListedChannel[];
}

/** @returns undefined until the first answer */
export function useChannels(): Channels | undefined {
  const { data } = useLive(readChannels, []);
  return data.value;
}

async function readChannels(signal: AbortSignal): Promise<Channels> {
  const [channels, defaults] = await Promise.all([
    readAll(listChannels, { signal }),
    send(readDefaults, { signal }),
  ]);
  return { channels, defaults };
}
