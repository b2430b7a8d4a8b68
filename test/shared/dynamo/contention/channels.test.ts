import type { Channel } from '#shared/delivery/channel.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelStatus } from '#shared/watchlist/channel.ts';
import { describeMeetings, meeting } from '#test/support/contention/meeting.ts';
import { aChannel } from '#test/support/delivering.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const id = 'chn_1';

const stored = async ({ channels }: Stores): Promise<Channel> => {
  const channel = aChannel({ channelId: id, name: 'mine' });
  await channels.create(channel);
  return channel;
};
const changed = async (stores: Stores): Promise<Channel> => {
  const channel = await stored(stores);
  await stores.channels.changeSettings(id, { name: 'ours' }, channel);
  return (await stores.channels.find(id)) ?? channel;
};
const rename = (name: string | null) => (stores: Stores, before: Channel) =>
  stores.channels.changeSettings(id, { name }, before);
const set = (from: ChannelStatus, to: ChannelStatus) => (stores: Stores) =>
  stores.channels.changeStatus(id, [from], { status: to });
const removeIf = (stores: Stores, before: Channel) => stores.channels.removeIf(before);

const left = async ({ channels }: Stores) => {
  const found = await channels.find(id);
  return found && [found.name, found.status, found.revision];
};

describeMeetings('a channel', {
  'is made once': meeting({
    given: async () => {},
    a: ({ channels }) => channels.create(aChannel({ channelId: id, name: 'a' })),
    b: ({ channels }) => channels.create(aChannel({ channelId: id, name: 'b' })),
    left,
    outcomes: [
      [false, true, ['b', 'active', undefined]],
      [true, false, ['a', 'active', undefined]],
    ],
  }),
  'takes one of two first changes': meeting({
    given: stored,
    a: rename('a'),
    b: rename('b'),
    left,
    outcomes: [
      [false, true, ['b', 'active', 1]],
      [true, false, ['a', 'active', 1]],
    ],
  }),
  'takes one of two later changes': meeting({
    given: changed,
    a: rename('a'),
    b: rename(null),
    left,
    outcomes: [
      [false, true, [undefined, 'active', 2]],
      [true, false, ['a', 'active', 2]],
    ],
  }),
  'keeps a change of its status that meets one of its settings': meeting({
    given: stored,
    a: rename('a'),
    b: set('active', 'disabled'),
    left,
    outcomes: [
      [false, true, ['mine', 'disabled', 1]],
      [true, true, ['a', 'disabled', 2]],
    ],
  }),
  'leaves a state once': meeting({
    given: stored,
    a: set('active', 'disabled'),
    b: set('active', 'unsubscribed'),
    left,
    outcomes: [
      [false, true, ['mine', 'unsubscribed', 1]],
      [true, false, ['mine', 'disabled', 1]],
    ],
  }),
  'is not removed once it was changed': meeting({
    given: stored,
    a: rename('a'),
    b: removeIf,
    left,
    outcomes: [
      [false, true, undefined],
      [true, false, ['a', 'active', 1]],
    ],
  }),
  'is removed once': meeting({
    given: changed,
    a: removeIf,
    b: removeIf,
    left,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
  'of no change yet is removed once': meeting({
    given: stored,
    a: removeIf,
    b: removeIf,
    left,
    outcomes: [
      [false, true, undefined],
      [true, false, undefined],
    ],
  }),
  'stays removed when it is changed': meeting({
    given: stored,
    a: ({ channels }) => channels.remove(id),
    b: rename('b'),
    left,
    outcomes: [
      [undefined, false, undefined],
      [undefined, true, undefined],
    ],
  }),
  'stays removed when a watch is silenced': meeting({
    given: stored,
    a: ({ channels }) => channels.remove(id),
    b: ({ channels }) => channels.silenceWatch(id, 'wat_1', now),
    left,
    outcomes: [
      [undefined, false, undefined],
      [undefined, true, undefined],
    ],
  }),
  'silences both watches': meeting({
    given: stored,
    a: ({ channels }) => channels.silenceWatch(id, 'wat_1', now),
    b: ({ channels }) => channels.silenceWatch(id, 'wat_2', now + 1),
    left: async ({ channels }) => (await channels.find(id))?.watchesSilentUntil,
    outcomes: [
      [true, true, { wat_1: 1772366400000, wat_2: 1772366400001 }],
      [true, true, { wat_2: 1772366400001, wat_1: 1772366400000 }],
    ],
  }),
});
