// Channels in the Watchlist table.
import { Entity, type FormattedItem } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $remove, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { string } from 'dynamodb-toolbox/schema';
import type { Channel } from '#shared/delivery/channel.ts';
import { type ChannelTarget, channelTargetSchema } from '#shared/delivery/channels/channels.ts';
import type { ChannelStatus } from '#shared/watchlist/channel.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest } from './owner-index.ts';
import { channelSchema } from './schemas/channel-schema.ts';
import { type ItemReading, leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** What an owner may change; `undefined` keeps the stored value, `null` removes it. */
export interface ChannelSettings {
  name?: string | null | undefined;
  isImmediate?: boolean | undefined;
  staleAlerts?: 'send' | 'drop' | undefined;
  fallbackChannelId?: string | null | undefined;
  target?: ChannelTarget | undefined;
}

/** Reads and writes of channels. */
export function createChannelStore(table: WatchlistTable) {
  const channels = new Entity({
    name: 'channel',
    table,
    timestamps: false,
    schema: channelSchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ channelId }) => ({ pk: `CHANNEL#${channelId}`, sk: 'CHANNEL' }),
  });
  const reading: ItemReading<FormattedItem<typeof channels>> = {
    ...leniently(channels, {
      channelId: fromKey('CHANNEL#'),
      ownerId: { otherwise: ({ ownerKey }) => String(ownerKey).replace(/#channel$/, '') },
      target: orElse({ kind: 'webhook', url: '', secrets: [] }, isTarget),
      status: orElse('disabled'),
      isImmediate: orElse(true),
      staleAlerts: orElse('send'),
      watchesSilentUntil: orElse({}),
      stopUrl: orElse(''),
      createdAt: orElse(new Date(0).toISOString()),
      ownerKey: orElse(''),
      ownerSort: orElse(''),
    }),
    // A damaged channel gets nothing, and its owner sees why; its deliveries are kept and go to its fallback.
    finish: (channel, damaged) =>
      damaged.includes('target')
        ? { ...channel, status: 'disabled', disabledReason: "its stored address can't be read" }
        : channel,
  };
  const isThere = { attr: 'channelId', exists: true } as const;

  /** @returns false when the channel doesn't exist, or `also` does not hold. */
  function change(channelId: string, item: object, also: object[] = []): Promise<boolean> {
    return writeIf(() =>
      channels
        .build(UpdateItemCommand)
        .item({ channelId, ...item } as never)
        .options({ condition: { and: [isThere, ...also] } as never })
        .send(),
    );
  }

  return {
    async find(channelId: string): Promise<Channel | undefined> {
      const action = channels
        .build(GetItemCommand)
        .key({ channelId })
        .options({ consistent: true });
      return readOne(action, reading);
    },

    /** @returns false when a channel with this id exists already. */
    create(channel: Channel): Promise<boolean> {
      const { channelId, ownerId } = channel;
      return writeIf(() =>
        channels
          .build(PutItemCommand)
          .item({ ...channel, ownerKey: `${ownerId}#channel`, ownerSort: channelId })
          .options({ condition: { attr: 'channelId', exists: false } })
          .send(),
      );
    },

    /**
     * Changes settings. A target is replaced whole.
     * @returns false when the channel doesn't exist, or was changed since `before` was read.
     */
    changeSettings: (channelId: string, settings: ChannelSettings, before: Channel) =>
      change(channelId, { revision: $add(1), ...settingsItem(settings) }, [isRevision(before)]),

    /**
     * Gives a channel a target that its reader has agreed to, and switches it on.
     * @returns false when the channel doesn't exist, or was changed since `before` was read.
     */
    connect: (before: Channel, target: ChannelTarget) =>
      change(
        before.channelId,
        {
          ...{ revision: $add(1), status: 'active', disabledReason: $remove() },
          target: $set(target),
        },
        [isRevision(before)],
      ),

    /** Changes a channel's status. @returns false when its status was not in `from`. */
    changeStatus: (
      channelId: string,
      from: readonly ChannelStatus[],
      to: { status: ChannelStatus; disabledReason?: string },
    ) =>
      change(
        channelId,
        { revision: $add(1), status: to.status, disabledReason: to.disabledReason ?? $remove() },
        [{ attr: 'status', in: [...from] }],
      ),

    /** Mutes a watch on a channel until a time (epoch ms); a time in the past unmutes it. */
    silenceWatch: (channelId: string, watchId: string, until: number) =>
      change(channelId, { watchesSilentUntil: { [watchId]: until } }),

    /** Removes a channel as it was read. @returns false when it was changed since, or doesn't exist. */
    removeIf(before: Channel): Promise<boolean> {
      return writeIf(() =>
        channels
          .build(DeleteItemCommand)
          .key({ channelId: before.channelId })
          .options({ condition: { and: [isThere, isRevision(before)] } as never })
          .send(),
      );
    },

    /** Removes a channel; a repeat changes nothing. */
    async remove(channelId: string): Promise<void> {
      await channels.build(DeleteItemCommand).key({ channelId }).send();
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, channels, `${ownerId}#channel`, page, reading),
  };
}

/** The changed attributes; null removes one. */
function settingsItem({ name, fallbackChannelId, target, ...others }: ChannelSettings): object {
  return defined({
    ...others,
    ...(target && { target: $set(target) }),
    name: name === null ? $remove() : name,
    fallbackChannelId: fallbackChannelId === null ? $remove() : fallbackChannelId,
  });
}

function isTarget(value: unknown): boolean {
  return channelTargetSchema.safeParse(value).success;
}

/** The condition that a channel's settings and status are unchanged since they were read. */
function isRevision({ revision }: Channel): object {
  return revision === undefined
    ? { attr: 'revision', exists: false }
    : { attr: 'revision', eq: revision };
}

function defined(item: object): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

export type ChannelStore = ReturnType<typeof createChannelStore>;
