// Owners whose watches are well, one for each kind of rule, over several kinds of channel: what they are told
// is what a bad neighbour must not change.

import { createManageChannels } from '#functions/api/channels/manage-channels.ts';
import { newChannelSchema } from '#shared/delivery/channels/channels.ts';
import { createLinks } from '#shared/delivery/links.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { type Pipeline, startMs } from './pipeline.ts';

/** A zone that no odd row names. */
export const goodZone = 'Court side';
/** A section that only the good listings have. */
export const goodSection = '777';

const getIn = { metric: 'get_in' } as const;
const email = { kind: 'email', address: 'ann@example.com' };
const webhook = { kind: 'webhook', url: 'https://receiver.example.com/alerts' };
const slack = { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X' };
const held = {
  timeZone: 'America/New_York',
  quietHours: { from: '08:05', to: '09:00' },
  digest: { mode: 'hourly', dailyAt: '08:00' },
} as const;

const good = [
  { channel: email, settings: {}, rule: { type: 'level', ...getIn, at_or_below: 50 } },
  { channel: slack, settings: {}, rule: { type: 'level', ...getIn, at_or_below: 75 } },
  {
    channel: webhook,
    settings: {},
    rule: {
      ...{ type: 'change', ...getIn, drops_by: { percent: 30 } },
      from: { of: 'high', window: '6h' },
      min_history_hours: 0.01,
    },
  },
  {
    channel: email,
    settings: held,
    rule: { type: 'extreme', ...getIn, new: 'low', within: '7d', min_history_hours: 0.01 },
  },
  { channel: slack, settings: {}, rule: { type: 'supply', at_or_below: 2 } },
  {
    channel: webhook,
    settings: {},
    rule: { type: 'level', ...getIn, zone: goodZone, at_or_below: 50 },
  },
  {
    channel: email,
    settings: {},
    rule: { type: 'listing', sections: [goodSection], at_or_below: 1_000 },
  },
];

export interface GoodWatch {
  watchId: string;
  /** Whether its rule needs earlier snapshots: a damaged one is lost to it. */
  looksBack: boolean;
}

/** Makes them, before anything else of the event. */
export async function addGoodWatches(stores: Stores, pipeline: Pipeline): Promise<GoodWatch[]> {
  const manage = createManageChannels({
    stores,
    senders: sendersByKind({ email: async () => {}, webhook: async () => {} }),
    links: createLinks(async () => 'a secret of links', 'https://getin.example'),
  });
  const watches: GoodWatch[] = [];
  for (const [index, { channel, settings, rule }] of good.entries()) {
    const digits = `9${String(index).padStart(31, '0')}`;
    const [ownerId, channelId] = [`own_${digits}`, `ch_${digits}`];
    const createdAt = new Date(startMs).toISOString();
    await stores.access.createOwner({ ownerId, name: 'Ann', createdAt, ...settings });
    const made = await manage.add(ownerId, channelId, newChannelSchema.parse(channel), startMs);
    await manage.confirmed(made, startMs);
    const channels = [channelId];
    const { watchId } = await pipeline.addWatch([rule], { channels }, ownerId);
    watches.push({ watchId, looksBack: ['change', 'extreme'].includes(rule.type) });
  }
  return watches;
}
