// Default settings of an owner's watches: per tag and for all. The order is: the watch's own setting, then
// its tags in their order, then the owner's default.

/** What a default may set. */
export interface DefaultSettings {
  channelIds?: string[] | undefined;
  latencySeconds?: number | undefined;
}

/** The defaults of one owner: for all watches, and for watches with a tag. */
export interface OwnerDefaults {
  ownerId: string;
  /** Grows with every change; 0 while nothing is stored. */
  version: number;
  all: DefaultSettings;
  /** By tag. */
  tags: Record<string, DefaultSettings>;
}

/** The defaults of an owner who has set none. */
export function noDefaults(ownerId: string): OwnerDefaults {
  return { ownerId, version: 0, all: {}, tags: {} };
}

/** The shortest latency that polls can keep, in seconds: they start once a minute. */
export const shortestLatencySeconds = 60;

/**
 * The latency of a new watch if neither it nor a default sets one, in seconds: an hour. It suits a fan with a few
 * games: at most 24 pulls, $0.36, a day and game, where a minute may cost 1,440 pulls, $21.60. README.md has the
 * figures. Stored watches keep theirs.
 */
export const usualLatencySeconds = 3_600;

/** The defaults for a watch with these tags. */
export function defaultsFor(
  { all, tags }: OwnerDefaults,
  watchTags: readonly string[],
): { channelIds: string[]; latencySeconds: number; isUsualLatency: boolean } {
  const layers = [...watchTags.flatMap((tag) => ownOf(tags, tag) ?? []), all];
  const latency = layers.find(({ latencySeconds }) => latencySeconds !== undefined)?.latencySeconds;
  return {
    channelIds: layers.find(({ channelIds }) => channelIds !== undefined)?.channelIds ?? [],
    latencySeconds: latency ?? usualLatencySeconds,
    isUsualLatency: latency === undefined,
  };
}

/**
 * The latency of a watch that follows the defaults. A watch of the time when the default was a minute keeps that
 * until its owner sets a default.
 */
export function followedLatency(
  watch: { inherits?: readonly string[] | undefined; latencySeconds: number },
  defaults: Pick<ReturnType<typeof defaultsFor>, 'latencySeconds' | 'isUsualLatency'>,
): number {
  const isFormer =
    (watch.inherits ?? []).includes('latency_seconds') &&
    watch.latencySeconds === shortestLatencySeconds;
  return isFormer && defaults.isUsualLatency ? watch.latencySeconds : defaults.latencySeconds;
}

/** A tag may be the name of a property that every object inherits, such as constructor. */
export function ownOf(
  tags: Readonly<Record<string, DefaultSettings>>,
  tag: string,
): DefaultSettings | undefined {
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}
