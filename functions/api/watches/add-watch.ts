// Adds a watch and all that it needs, in four rounds of requests: read, reserve, write, and the watch itself last.
// Until the watch is stored its triggers raise no alerts, so a crash leaves no incomplete watch that alerts.

import type { Stores } from '#shared/dynamo/stores.ts';
import type { WantedSubscription } from '#shared/dynamo/subscriptions.ts';
import type { SendMessages } from '#shared/lambda/queue-sender.ts';
import type { Feed } from '#shared/polling/feed.ts';
import { compileRule } from '#shared/rules/compile.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { spellZones } from '#shared/rules/language/zone-names.ts';
import { createTrigger, type Trigger } from '#shared/rules/trigger.ts';
import { triggersWantedBy } from '#shared/watchlist/apply-watch-change.ts';
import type { ChangedBy } from '#shared/watchlist/changed-by.ts';
import { type IdKind, newId } from '#shared/watchlist/id.ts';
import { defaultsFor, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import {
  evaluationOf,
  feedsWantedBy,
  type InheritableSetting,
  type Watch,
  type WatchRule,
} from '#shared/watchlist/watch.ts';
import type { NewWatch } from '#shared/watchlist/watch-request.ts';
import type { Fault } from '../faults.ts';
import { invalidFaults } from '../problem.ts';
import { watchFaults, zoneFaults } from './check-watch.ts';
import { once } from './once.ts';
import type { PresentState, PresentStateReader } from './present-state.ts';

interface AddWatchDeps {
  stores: Pick<
    Stores,
    'channels' | 'feeds' | 'ownerDefaults' | 'triggers' | 'watches' | 'subscriptions'
  >;
  presentState: PresentStateReader;
  sendNudges: SendMessages;
}

export interface AddedWatch {
  watch: Watch;
  /** Per rule id: whether it is true at the newest snapshot; null if no snapshot is stored. */
  currentlyTrue: Map<string, boolean | null>;
}

/** The owner, the wanted watch, and the time (epoch ms). A repeated request gets the same ids from `makeId`. */
export interface WantedWatch {
  ownerId: string;
  wanted: NewWatch;
  now: number;
  /** Who asks; without it the watch does not say who made it. */
  by?: ChangedBy | undefined;
  /** @default new random ids */
  makeId?: (kind: IdKind) => string;
}

/** A watch that was checked and is not stored yet. */
export interface PlannedWatch {
  watch: Watch;
  /** The triggers of each rule, in the order of the rules. */
  triggers: Trigger[][];
  present: PresentState;
  subscriptions: { wanted: WantedSubscription; feed: Feed | undefined }[];
  /** The faults that are known now; a watch with any must not be added. */
  faults: Fault[];
  /** The faults of default channels, which take one more read; the others are in `faults`. */
  readLateFaults: () => Promise<Fault[]>;
  now: number;
}

/** A watch whose series and subscriptions are recorded. */
export interface PreparedWatch {
  plan: PlannedWatch;
  /** The answer to whether its rules are true, which is being read. */
  currentlyTrue: Promise<AddedWatch['currentlyTrue']>;
}

/** The steps: `plan`, `prepare`, then `finish`, or `withdraw` if the watch is refused after all. */
export function createAddWatch({ stores, presentState, sendNudges }: AddWatchDeps) {
  /** Reads all that the watch depends on, and changes nothing. */
  async function plan({
    ownerId,
    wanted,
    now,
    by,
    makeId = newId,
  }: WantedWatch): Promise<PlannedWatch> {
    const draft = draftOf({ ownerId, wanted, now, by, makeId });
    const { eventId } = draft;
    const channels = { find: once(stores.channels.find) };
    const named = [...(wanted.channels ?? []), wanted.fallback_channel].flatMap((id) => id ?? []);
    const feeds = feedsWantedBy(draft).map(({ kind }) => stores.feeds.find(eventId, kind));
    const [defaults, present, found] = await Promise.all([
      stores.ownerDefaults.find(ownerId),
      presentState.read(eventId),
      Promise.all(feeds),
      Promise.all(named.map((id) => channels.find(id))),
    ]);
    const { zones } = present;
    const watch = withZoneNames(withDefaults(draft, wanted, defaults), zones);
    const rules = watch.rules.map(({ rule }) => rule);
    const { watchId, channelIds, fallbackChannelId: fallbackId } = watch;
    const checked = { channelIds, fallbackId, rules, zones };
    const isNamed = wanted.channels !== undefined || channelIds.length === 0;
    const allFaults = () => watchFaults(channels, ownerId, checked, now);
    return {
      ...{ watch, present, now },
      triggers: watch.rules.map((rule) => triggersOf(watch, rule, now)),
      subscriptions: feedsWantedBy(watch).map((feed, index) => ({
        wanted: { eventId, watchId, ownerId, ...feed },
        feed: found[index],
      })),
      faults: isNamed ? await allFaults() : zoneFaults(rules, zones, now),
      readLateFaults: isNamed ? async () => [] : allFaults,
    };
  }

  /**
   * Records the series and the subscriptions, and gives the watch's triggers their shard. A repeat changes nothing else.
   * @param stored the watch as an earlier try of the request stored it
   */
  async function prepare(planned: PlannedWatch, stored?: Watch): Promise<PreparedWatch> {
    const { watch, triggers, subscriptions, now } = planned;
    const all = triggers.flat();
    const currentlyTrue = readTrue(planned);
    // `finish` gets the failure; a refused watch needs no answer.
    currentlyTrue.catch(() => {});
    const [shard = 0] = await Promise.all([
      stored ? stored.shard : stores.triggers.place(watch.eventId, all.length),
      stores.triggers.needSeries(all),
      ...subscriptions.map(({ wanted, feed }) => stores.subscriptions.record(wanted, feed, now)),
    ]);
    return { plan: inShard(planned, shard), currentlyTrue };
  }

  async function readTrue({ watch, triggers, present, now }: PlannedWatch) {
    const mains = triggers.flatMap(([main]) => main ?? []);
    const byTrigger = await presentState.areTrue(present, mains, now);
    const answers = mains.map(
      ({ ruleId, triggerId }) => [ruleId, byTrigger.get(triggerId) ?? null] as const,
    );
    const byRule = new Map(answers);
    return new Map(watch.rules.map(({ ruleId }) => [ruleId, byRule.get(ruleId) ?? null]));
  }

  /** Stores the triggers and wakes the feeds, then stores the watch; a repeat changes nothing. */
  async function finish({ plan: planned, currentlyTrue }: PreparedWatch): Promise<AddedWatch> {
    const { watch, triggers, subscriptions, now } = planned;
    const [known] = await Promise.all([
      currentlyTrue,
      ...subscriptions.map(({ wanted, feed }) => stores.subscriptions.wakeFor(wanted, feed, now)),
      ...triggers.flat().map((trigger) => stores.triggers.createWithSeries(trigger)),
    ]);
    await stores.watches.create(watch);
    const group = String(watch.eventId);
    const nudges = subscriptions.map(({ wanted }) => evaluationOf(watch, wanted.kind));
    await sendNudges(nudges.map((body) => ({ body, group })));
    return { watch, currentlyTrue: known };
  }

  return {
    plan,
    prepare,
    finish,

    /** Takes back what `prepare` recorded for a watch that is not stored. */
    async withdraw({ subscriptions }: PlannedWatch): Promise<void> {
      await Promise.all(subscriptions.map(({ wanted }) => stores.subscriptions.withdraw(wanted)));
    },

    /** All steps. @throws ProblemError for a watch that has faults. */
    async add(wanted: WantedWatch): Promise<AddedWatch> {
      const planned = await plan(wanted);
      const faults = [...planned.faults, ...(await planned.readLateFaults())];
      if (faults.length > 0) throw invalidFaults(faults);
      return finish(await prepare(planned));
    },
  };
}

export type AddWatch = ReturnType<typeof createAddWatch>;

type Draft = WantedWatch & Pick<Required<WantedWatch>, 'makeId'>;

/** A watch without the settings that may come from defaults. */
function draftOf({ ownerId, wanted, now, by, makeId }: Draft): Watch {
  const { tags = [], fallback_channel: fallback } = wanted;
  const createdAt = new Date(now).toISOString();
  return {
    watchId: makeId('watch'),
    ownerId,
    eventId: wanted.event_id,
    ...(wanted.name !== undefined && { name: wanted.name }),
    tags,
    rules: wanted.rules.map((rule) => watchRule(rule, makeId)),
    channelIds: [],
    ...(fallback !== undefined && { fallbackChannelId: fallback }),
    status: 'active',
    latencySeconds: 0,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    ...(by && { changedBy: by }),
  };
}

function withDefaults(draft: Watch, wanted: NewWatch, defaults: OwnerDefaults): Watch {
  const { tags = [], channels, latency_seconds: latency } = wanted;
  const { channelIds, latencySeconds } = defaultsFor(defaults, tags);
  const inherits: InheritableSetting[] = [];
  if (channels === undefined) inherits.push('channels');
  if (latency === undefined) inherits.push('latency_seconds');
  return {
    ...draft,
    channelIds: [...new Set(channels ?? channelIds)],
    latencySeconds: latency ?? latencySeconds,
    inherits,
  };
}

/** All triggers of a watch are in one shard, because those of a rule must see each other's firings. */
function inShard(planned: PlannedWatch, shard: number): PlannedWatch {
  if (shard === 0) return planned;
  const triggers = planned.triggers.map((each) => each.map((trigger) => ({ ...trigger, shard })));
  return { ...planned, watch: { ...planned.watch, shard }, triggers };
}

/** The watch with its rules' zones as the event spells them. */
function withZoneNames(watch: Watch, zones: readonly string[] | undefined): Watch {
  const rules = watch.rules.map((each) => ({ ...each, rule: spellZones(each.rule, zones) }));
  return { ...watch, rules };
}

/** A rule with ids for itself and its triggers. */
export function watchRule(rule: Rule, makeId: (kind: IdKind) => string): WatchRule {
  const triggerIds = compileRule(rule).map(() => makeId('trigger'));
  return { ruleId: makeId('rule'), rule, triggerIds };
}

function triggersOf(watch: Watch, rule: WatchRule, now: number): Trigger[] {
  return triggersWantedBy(watch, rule).map(({ spec, identity }) =>
    createTrigger(spec, identity, now),
  );
}
