// Which channels a watch has, or would have.
import type { ListedChannel } from '../../api/calls.ts';
import { type Composition, tagsIn } from './composition.ts';

/** More channels than this are somebody's list, of which only that person can choose. */
const mostAtOnce = 3;

export interface KnownChannels {
  channels: readonly Pick<ListedChannel, 'id' | 'status'>[];
  defaults: {
    channels: readonly string[] | null;
    latency_seconds: number | null;
    tags: Readonly<Record<string, { channels: readonly string[] | null }>>;
  };
}

/**
 * Those that the person chose; else the defaults of its tags and of all watches. Where there are none, all that are
 * in use, if they are few.
 */
export function chosenChannels(
  { channels: own, tags }: Pick<Composition, 'channels' | 'tags'>,
  { channels, defaults }: KnownChannels,
): readonly string[] {
  if (own.value) return own.value;
  const byDefault = defaultChannels(tagsIn(tags.value), defaults);
  if (byDefault) return byDefault;
  const inUse = channels.filter(({ status }) => status === 'active' || status === 'unverified');
  return inUse.length <= mostAtOnce ? inUse.map(({ id }) => id) : [];
}

/** The default channels of a watch with these tags; undefined if there are none. */
export function defaultChannels(
  tags: readonly string[],
  { channels, tags: byTag }: KnownChannels['defaults'],
): readonly string[] | undefined {
  const ofTags = tags.map((tag) => (Object.hasOwn(byTag, tag) ? byTag[tag]?.channels : null));
  const found = ofTags.find(Boolean) ?? channels;
  return found && found.length > 0 ? found : undefined;
}

/** The channels as the API takes them: absent where the defaults are meant. */
export function channelsToSend(
  composition: Pick<Composition, 'channels' | 'tags'>,
  known: KnownChannels,
): readonly string[] | undefined {
  const isByDefault =
    composition.channels.value === undefined &&
    defaultChannels(tagsIn(composition.tags.value), known.defaults) !== undefined;
  return isByDefault ? undefined : chosenChannels(composition, known);
}
