// The bad neighbours of an event: owners whose stored items are damaged, and owners whose settings are odd. All
// odd settings go through the API, so that only what it accepts is stored.
import fc from 'fast-check';
import type { Watch } from '#shared/watchlist/watch.ts';
import { type Api, levelRule, startMs } from './api.ts';
import { damageOwn, ownDamage } from './damages.ts';
import type { OddWatch } from './not-silent.ts';
import {
  createOddOwner,
  laterChange,
  type OddOwner,
  ownersSettings,
  passOn,
  type Taken,
  withOwnChannels,
} from './odd-owner.ts';
import type { Pipeline } from './pipeline.ts';

/** Half of them have a damaged item; the others have odd settings, some of them changed later. */
export const oddOne = fc.oneof(
  fc.record({ damage: ownDamage }),
  fc.record({ settings: ownersSettings, later: laterChange }),
);
export type OddOne = typeof oddOne extends fc.Arbitrary<infer Value> ? Value : never;

export interface Neighbour {
  odd: OddOne;
  /** Absent where the API refuses every watch, such as one without a channel. */
  watch: OddWatch | undefined;
  /** Changes settings or damages an item, if this is its minute. */
  disturb: (minute: number) => Promise<void>;
}

interface Place {
  api: Api;
  pipeline: Pipeline;
  event: number;
  /** Counts the settings that the API accepts and refuses. */
  taken: Taken;
}

/** @param number a different one for each neighbour. */
export function addNeighbour(place: Place, number: number, odd: OddOne): Promise<Neighbour> {
  return 'damage' in odd ? addDamaged(place, number, odd) : addOdd(place, number, odd);
}

type Of<Key extends string> = Extract<OddOne, Record<Key, unknown>>;

async function addDamaged(
  { api, pipeline }: Place,
  number: number,
  odd: Of<'damage'>,
): Promise<Neighbour> {
  const { stores } = api;
  const digits = String(number).padStart(32, '0');
  const [ownerId, channelId] = [`own_${digits}`, `ch_${digits}`];
  const createdAt = new Date(startMs).toISOString();
  await stores.access.createOwner({ ownerId, name: 'Bob', createdAt, timeZone: 'UTC' });
  await stores.channels.create({
    ...{ channelId, ownerId, status: 'active', isImmediate: false, staleAlerts: 'send' },
    target: { kind: 'email', address: 'bob@example.com' },
    ...{ watchesSilentUntil: {}, stopUrl: 'https://getin.example/l/token', createdAt },
  });
  const channels = [channelId];
  const watch = await pipeline.addWatch([levelRule(60 + number)], { channels }, ownerId);
  const oddWatch: OddWatch = { ownerId, channelId, damage: odd.damage, watch };
  return {
    ...{ odd, watch: oddWatch },
    async disturb(minute) {
      if (odd.damage.minute !== minute) return;
      oddWatch.damaged = await damageOwn(api, ownerId, odd.damage);
    },
  };
}

async function addOdd(place: Place, number: number, odd: Of<'settings'>): Promise<Neighbour> {
  const { api, pipeline, taken } = place;
  api.clock.now = pipeline.clock.now;
  const owner = await createOddOwner(api, number, taken);
  const settings = withOwnChannels(odd.settings, owner);
  const { channelIds, ownerId, call } = owner;
  await call('PATCH', '/v1/owner', settings.owner);
  await call('PATCH', '/v1/defaults', { channels: channelIds });
  await call('PATCH', '/v1/defaults', settings.defaults);
  const channel = await call('POST', '/v1/channels', settings.channel);
  const [channelId = ''] = channelIds;
  const watch = await addWatch(place, owner, settings.watches);
  passOn(api, pipeline);
  const later = withOwnChannels(odd.later, owner);
  return {
    odd,
    watch: watch && { ownerId, channelId, damage: undefined, watch },
    async disturb(minute) {
      if (later.minute !== minute) return;
      api.clock.now = pipeline.clock.now;
      await call('PATCH', '/v1/owner', later.owner);
      await call('PATCH', '/v1/defaults', later.defaults);
      for (const id of [channelId, channel.body.id ?? channelId]) {
        await call('PATCH', `/v1/channels/${id}`, settings.channelChange);
      }
      if (watch) await call('PATCH', `/v1/watches/${watch.watchId}`, settings.watchChange);
      passOn(api, pipeline);
    },
  };
}

/** The first watch that the API accepts; where it refuses all, one with a usual rule. */
async function addWatch(
  { api, event }: Place,
  { call }: OddOwner,
  wanted: readonly unknown[],
): Promise<Watch | undefined> {
  for (const each of [...wanted, { rules: [levelRule(50)] }]) {
    const body = { ...Object(each), event_id: event };
    const answer = await call('POST', '/v1/watches', body);
    if (answer.status === 201) return api.stores.watches.find(answer.body.id);
  }
  return undefined;
}
