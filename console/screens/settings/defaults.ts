// The defaults of watches as a form has them, and what a change of them sends.
import type { Defaults } from '../../api/calls.ts';

/** Of all watches, or of those with a tag. */
export interface DefaultsOfSome {
  channels: string[] | null;
  latency_seconds: number | null;
}

export interface DefaultsDraft extends DefaultsOfSome {
  tags: Readonly<Record<string, DefaultsOfSome>>;
}

export function draftOf({ channels, latency_seconds, tags }: Defaults): DefaultsDraft {
  return { channels, latency_seconds, tags };
}

/** The body that leads from one state to another: null removes a tag's defaults. */
export function defaultsChange(
  before: DefaultsDraft,
  after: DefaultsDraft,
): Record<string, unknown> {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const { channels, latency_seconds, tags } = after;
  const changed = Object.entries(tags).filter(([tag, own]) => !isSame(own, before.tags[tag]));
  const removed = Object.keys(before.tags).filter((tag) => !Object.hasOwn(tags, tag));
  const tagChanges = {
    ...Object.fromEntries(changed),
    ...Object.fromEntries(removed.map((tag) => [tag, null])),
  };
  return {
    ...(!isSame(channels, before.channels) && { channels }),
    ...(latency_seconds !== before.latency_seconds && { latency_seconds }),
    ...(Object.keys(tagChanges).length > 0 && { tags: tagChanges }),
  };
}

/** What a person can choose, in seconds. */
const latencies = [60, 300, 900, 3_600, 21_600, 86_400] as const;

/** The choices, with one that was set by the API among them. */
export function latencyChoices(set: number | null): number[] {
  const all = new Set<number>([...latencies, ...(set === null ? [] : [set])]);
  return [...all].sort((a, b) => a - b);
}
