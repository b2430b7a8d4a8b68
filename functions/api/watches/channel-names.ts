// The channels of a file by their names, which people can read and write; ids work everywhere, too.
import type { Channel } from '#shared/delivery/channel.ts';
import { listOf } from './plain-rules.ts';

const idForm = /^ch_[0-9a-f]{32}$/;

/** Names of an owner's channels. A channel has its own name and, for email, its address. */
export function nameChannels(channels: readonly Channel[]) {
  const byName = new Map<string, Set<string>>();
  for (const channel of channels) {
    for (const each of namesOf(channel)) {
      const ids = byName.get(keyOf(each)) ?? new Set();
      byName.set(keyOf(each), ids.add(channel.channelId));
    }
  }
  const isFit = (name: string) =>
    listOf(name).length === 1 && !idForm.test(name) && byName.get(keyOf(name))?.size === 1;
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));

  function idOf(written: string): { id: string } | { detail: string } {
    if (idForm.test(written)) return { id: written };
    const [id, ...others] = byName.get(keyOf(written)) ?? [];
    if (id !== undefined && others.length === 0) return { id };
    const detail =
      id === undefined
        ? `has “${written}”, which is neither the id nor the name of a channel of yours`
        : `has “${written}”, the name of ${others.length + 1} of your channels: write the id`;
    return { detail };
  }

  return {
    /** What a file has for a channel: its name or address, if that is no other channel's, else its id. */
    written(channelId: string): string {
      const channel = byId.get(channelId);
      return (channel && namesOf(channel).find(isFit)) ?? channelId;
    },

    /** The id of one channel that is named or given by its id, or what is wrong with it. */
    id: idOf,

    /** The ids of a cell's channels, or what is wrong with the first that is not one. */
    ids(cell: string): { ids: string[] } | { detail: string } {
      const parts = cell.split(/\s+/).every((part) => idForm.test(part))
        ? cell.split(/\s+/)
        : listOf(cell);
      const found = parts.map(idOf);
      const wrong = found.find((each) => 'detail' in each);
      if (wrong) return wrong as { detail: string };
      return { ids: found.flatMap((each) => ('id' in each ? [each.id] : [])) };
    },
  };
}

export type ChannelNames = ReturnType<typeof nameChannels>;

function namesOf({ name, target }: Channel): string[] {
  return [name, 'address' in target ? target.address : undefined].flatMap((each) => each ?? []);
}

function keyOf(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
