// A watch while a person writes it, and what the API takes of it.
import { type Signal, signal } from '@preact/signals';
import type { EventDetail, WatchDetail } from '../../api/calls.ts';
import { isIncomplete, type RuleDraft, ruleOf } from './rule-draft.ts';
import { ruleKinds } from './rule-kinds.ts';

export interface RuleEntry {
  /** Of a rule that the watch has already. */
  id?: string | undefined;
  draft: RuleDraft;
}

export interface Composition {
  event: EventDetail;
  /** Of a watch that exists. */
  watchId?: string | undefined;
  rules: Signal<readonly RuleEntry[]>;
  /** The position of the rule that is open. */
  at: Signal<number>;
  /** undefined: the defaults. */
  channels: Signal<readonly string[] | undefined>;
  /** The channel that gets what the others can't take; empty: none. */
  fallback: Signal<string>;
  /** In seconds; undefined: the default. */
  latency: Signal<number | undefined>;
  name: Signal<string>;
  /** Separated by spaces. */
  tags: Signal<string>;
  /** What the API refused of the whole, by its place: `rules/0/at_or_below`. */
  faults: Signal<ReadonlyMap<string, string>>;
}

/** An event of which no prices are stored. */
export function bareEvent(known: Partial<EventDetail> & { event_id: number }): EventDetail {
  const unknown = { event_name: null, event_date: null, event_time: null, starts_at: null };
  const nowhere = { venue_name: null, venue_city: null, venue_time_zone: null };
  return { ...unknown, ...nowhere, ...known, latest: null, polling: null };
}

/** A new watch, which begins with a level a little under the price. */
export function newComposition(event: EventDetail, zone: string | undefined): Composition {
  const { latest } = event;
  const metrics = zone === undefined ? latest?.metrics : latest?.zones[zone];
  const price = metrics?.get_in ?? undefined;
  return {
    event,
    rules: signal([{ draft: ruleKinds.level.begin({ price, zone }) }]),
    ...{ at: signal(0), channels: signal(undefined), latency: signal(undefined) },
    ...{ name: signal(''), tags: signal(''), fallback: signal(''), faults: signal(new Map()) },
  };
}

/** The watch as it is. */
export function compositionOf(event: EventDetail, watch: WatchDetail, rule?: string): Composition {
  const follows = (name: WatchDetail['inherits'][number]) => watch.inherits.includes(name);
  const at = watch.rules.findIndex(({ id }) => id === rule);
  return {
    event,
    watchId: watch.id,
    rules: signal(watch.rules.map((each) => ({ id: each.id, draft: each.rule as RuleDraft }))),
    at: signal(Math.max(0, at)),
    channels: signal(follows('channels') ? undefined : watch.channels),
    latency: signal(follows('latency_seconds') ? undefined : watch.latency_seconds),
    fallback: signal(watch.fallback_channel ?? ''),
    name: signal(watch.name ?? ''),
    tags: signal(watch.tags.join(' ')),
    faults: signal(new Map()),
  };
}

/** The open rule. */
export function openRule({ rules, at }: Composition): RuleEntry | undefined {
  return rules.value[at.value];
}

/** Puts another draft in the place of the open one. */
export function putRule({ rules, at }: Composition, draft: RuleDraft): void {
  rules.value = rules.value.map((entry, index) =>
    index === at.value ? { ...entry, draft } : entry,
  );
}

/** Whether every slot of every rule is filled. */
export function isWhole({ rules }: Composition): boolean {
  return !rules.value.some(({ draft }) => isIncomplete(draft));
}

/** `knicks, December` as tags: the API says what is wrong with one. */
export function tagsIn(text: string): string[] {
  return text.split(/[\s,]+/).flatMap((each) => each.replace(/^#/, '') || []);
}

/** The body of the request that makes the watch. @param channels undefined: the defaults */
export function newWatchOf(
  { event, rules, fallback, latency, name, tags }: Composition,
  channels: readonly string[] | undefined,
) {
  return {
    event_id: event.event_id,
    rules: rules.value.map(({ draft }) => ruleOf(draft)),
    ...(channels && { channels }),
    ...(fallback.value !== '' && { fallback_channel: fallback.value }),
    ...(latency.value !== undefined && { latency_seconds: latency.value }),
    ...(name.value.trim() !== '' && { name: name.value.trim() }),
    ...(tags.value.trim() !== '' && { tags: tagsIn(tags.value) }),
  };
}

/** The body of the request that changes the watch: everything that this page shows. */
export function changeOf(
  { rules, fallback, latency, name, tags }: Composition,
  channels: readonly string[] | undefined,
) {
  return {
    rules: rules.value.map(({ id, draft }) => ({ ...(id !== undefined && { id }), rule: draft })),
    channels: channels ?? null,
    fallback_channel: fallback.value || null,
    latency_seconds: latency.value ?? null,
    name: name.value.trim() === '' ? null : name.value.trim(),
    tags: tagsIn(tags.value),
  };
}
