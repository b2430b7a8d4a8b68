// Reads the inputs for the troubles of one watch or of a page of watches. Each stored item
// is read once, and reads are batched, so that a page costs few requests.
import { readChannelCondition } from '#shared/delivery/channel-condition.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { inLots } from '#shared/lambda/in-lots.ts';
import { forEachFeedKind } from '#shared/polling/feed-kinds.ts';
import type { MarketState } from '#shared/polling/market-state.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { type EventFacts, startOf } from '#shared/watchlist/event-facts.ts';
import {
  type ChannelCondition,
  type SilentRule,
  troublesOf,
  zonesNamedBy,
} from '#shared/watchlist/trouble.ts';
import type { Trouble } from '#shared/watchlist/trouble-table.ts';
import { feedsWantedBy, type Watch } from '#shared/watchlist/watch.ts';
import { feedConditionOf } from './feed-condition.ts';
import { once } from './once.ts';
import type { PresentStateReader } from './present-state.ts';
import { unlessDamaged } from './unless-damaged.ts';

type TroubleStores = Pick<
  Stores,
  | 'channelHealth'
  | 'channels'
  | 'evaluations'
  | 'eventFacts'
  | 'feeds'
  | 'marketState'
  | 'suppressions'
>;

interface ReadTroublesDeps {
  stores: TroubleStores;
  presentState: Pick<PresentStateReader, 'zones'>;
}

/** Watches whose items are read at once; the reads go out in batches of 100, several at a time. */
const watchesAtOnce = 1_000;

/** The troubles of each watch by its id; `now` is epoch milliseconds. */
export type ReadTroubles = (
  watches: readonly Watch[],
  now: number,
) => Promise<Map<string, Trouble[]>>;

export function createReadTroubles({ stores, presentState }: ReadTroublesDeps): ReadTroubles {
  return async function readTroubles(watches, now) {
    const reads = createReads(stores, presentState);
    const market = await stores.marketState.read();
    const found = await inLots(watches, watchesAtOnce, (watch) =>
      ofWatch(reads, watch, market, now),
    );
    return new Map(watches.map(({ watchId }, index) => [watchId, found[index] ?? []]));
  };
}

type Reads = ReturnType<typeof createReads>;

/** The reads of one request: each item is read once, even if several watches need it. */
function createReads(stores: TroubleStores, presentState: ReadTroublesDeps['presentState']) {
  const findChannel = stores.channels.find;
  const findHealth = stores.channelHealth.find;
  const findSuppression = once(stores.suppressions.find);
  return {
    facts: once((eventId: number) => stores.eventFacts.find(eventId)),
    zones: once((eventId: number) => presentState.zones(eventId)),
    feed: forEachFeedKind((kind) => once((eventId: number) => stores.feeds.find(eventId, kind))),
    evaluation: forEachFeedKind((kind) =>
      once((eventId: number, shard: number | undefined) =>
        stores.evaluations.find({ eventId, kind, shard }),
      ),
    ),
    channel: once((channelId: string) =>
      readChannelCondition({ findChannel, findHealth, findSuppression }, channelId),
    ),
  };
}

async function ofWatch(
  reads: Reads,
  watch: Watch,
  state: MarketState,
  now: number,
): Promise<Trouble[]> {
  const unreadable: string[] = [];
  const readable: Readable = (what, reading) => unlessDamaged(reading, () => unreadable.push(what));
  const kinds = (await readable('rules', kindsOf(watch))) ?? [];
  const [facts, zones, channels, feeds] = await Promise.all([
    readable('event', reads.facts(watch.eventId)),
    zonesNamedBy(watch).length > 0 ? readable('snapshot', reads.zones(watch.eventId)) : undefined,
    readChannels(reads, watch, readable),
    Promise.all(
      kinds.map(async (kind) => {
        const [feed, evaluation] = await Promise.all([
          readable('feed', reads.feed[kind](watch.eventId)),
          readable('evaluation', reads.evaluation[kind](watch.eventId, watch.shard)),
        ]);
        return feedConditionOf(kind, { feed, evaluation, watch, now });
      }),
    ),
  ]);
  return troublesOf({
    watch,
    eventName: facts?.name ?? `Event ${watch.eventId}`,
    ...channels,
    zones,
    feeds: feeds.filter((feed) => feed !== undefined),
    market: { pausedBecause: pauseWords(state), isDown: state.openUntil !== undefined },
    ...faultsOf(watch),
    silentRules: watch.rules.map(({ rule }) => silentRuleOf(rule, facts, now)),
    unreadable,
    now,
  });
}

/** @throws Error for a stored rule that does not compile. */
async function kindsOf(watch: Watch) {
  return feedsWantedBy({ ...watch, status: 'active' }).map(({ kind }) => kind);
}

type Readable = <Found>(what: string, reading: Promise<Found>) => Promise<Found | undefined>;

async function readChannels(
  { channel: read }: Reads,
  { channelIds, fallbackChannelId }: Watch,
  readable: Readable,
) {
  const readAll = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => readable('channel', read(id))));
  const found = await readAll(channelIds);
  const others = found.flatMap((each) => each?.channel?.fallbackChannelId ?? []);
  const fallbackIds = [...new Set([fallbackChannelId ?? [], others].flat())];
  const fallbacks = await readAll(fallbackIds.filter((id) => !channelIds.includes(id)));
  return {
    channels: found.map((each, at) => each?.condition ?? missing(channelIds[at] ?? '')),
    fallbacks: fallbacks.flatMap((each) => each?.condition ?? []),
  };
}

const missing = (channelId: string): ChannelCondition => ({ channelId, channel: undefined });

/** Faults recorded by evaluations: those under a trigger's id belong to its rule, the others to the watch. */
function faultsOf({ rules, setAside = {} }: Watch) {
  const isOfRule = (name: string, { triggerIds }: Watch['rules'][number]) =>
    triggerIds.some((id) => name === id || name === furtherTriggerId(id));
  const faults = Object.entries(setAside);
  return {
    watchFaults: faults.flatMap(([name, fault]) =>
      rules.some((rule) => isOfRule(name, rule)) ? [] : [fault],
    ),
    ruleFaults: rules.flatMap((rule) => {
      const found = faults.find(([name]) => isOfRule(name, rule));
      return found ? [{ rule: wordsOf(rule.rule), fault: found[1] }] : [];
    }),
  };
}

function silentRuleOf(
  rule: Watch['rules'][number]['rule'],
  facts: EventFacts | undefined,
  now: number,
): SilentRule {
  const { expires_at: end, within_days_of_event: days } = rule;
  const expiredAt = end === undefined ? undefined : Date.parse(end);
  return {
    rule: wordsOf(rule),
    expiredAt: expiredAt !== undefined && expiredAt <= now ? expiredAt : undefined,
    needsStart: days !== undefined && startOf(facts) === null,
  };
}

/** A rule that cannot be parsed has no sentence either. */
function wordsOf(rule: Watch['rules'][number]['rule']): string {
  try {
    return ruleSentence(rule);
  } catch {
    return 'one that cannot be read';
  }
}

const pauseReasons = {
  payment: 'the marketplace account is out of funds',
  authentication: 'the marketplace does not accept the API key',
  subscription: 'the marketplace account has no API access',
} as const;

function pauseWords({ pause }: MarketState): string | undefined {
  return pause && pauseReasons[pause.reason];
}
