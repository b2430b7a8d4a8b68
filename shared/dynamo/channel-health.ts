// Channels' health in the Watchlist table, in an item separate from each channel's settings.
import { Entity } from 'dynamodb-toolbox/entity';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { $add, $get, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { ChannelHealth } from '#shared/delivery/channel-health.ts';
import { isNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { channelHealthSchema } from './schemas/channel-health-schema.ts';
import { leniently, orMissing, readOne, updateAndRead } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of channels' health. */
export function createChannelHealthStore(table: WatchlistTable) {
  const healths = new Entity({
    name: 'channelHealth',
    table,
    timestamps: false,
    schema: channelHealthSchema,
    computeKey: ({ channelId }) => ({ pk: `CHANNEL#${channelId}`, sk: 'HEALTH' }),
  });

  type Raised = 'openUntil' | 'throttledUntil' | 'noticed';

  /** Raises a number, never lowers it. @returns false when it was already as high. */
  function raise(channelId: string, name: Raised, to: number): Promise<boolean> {
    // The library's types take one attribute's literal name, not one of three.
    const attr = name as 'noticed';
    return writeIf(() =>
      healths
        .build(UpdateItemCommand)
        .item({ channelId, [name]: to })
        .options({
          condition: {
            or: [isNoNumber(attr), { attr, lt: to }],
          },
        })
        .send(),
    );
  }

  return {
    /** @returns undefined for a channel without failures since its last success. */
    async find(channelId: string): Promise<ChannelHealth | undefined> {
      const action = healths.build(GetItemCommand).key({ channelId }).options({ consistent: true });
      return orMissing(readOne(action, leniently(healths)));
    },

    /** Deletes the record of failures. */
    async recover(channelId: string): Promise<void> {
      await healths.build(DeleteItemCommand).key({ channelId }).send();
    },

    /** Counts a failure. @returns the health after it. */
    async countFailure(
      channelId: string,
      {
        now,
        lastReason,
        isPerhapsGone,
      }: { now: number; lastReason: string; isPerhapsGone: boolean },
    ): Promise<ChannelHealth> {
      const computed = {
        failures: $add(1),
        failingSince: $get('failingSince', now),
        ...(isPerhapsGone && { perhapsGoneSince: $get('perhapsGoneSince', now) }),
      };
      const anew = { failures: 1, failingSince: now };
      const count = (counts: typeof computed | typeof anew) => () =>
        updateAndRead(
          healths
            .build(UpdateItemCommand)
            .item({ channelId, lastReason, ...counts })
            .options({ returnValues: 'ALL_NEW' }),
          leniently(healths),
        );
      const place = { what: 'channelHealth', ids: { channelId } };
      return (await writeOrReplace(place, count(computed), count(anew))) ?? { channelId };
    },

    /** Pauses sends to the channel until a time. */
    open: (channelId: string, until: number) => raise(channelId, 'openUntil', until),

    /**
     * Acquires the right to call a channel that was paused until `seen`; others wait until `until`.
     * @returns false when another sender acquired it.
     */
    takeProbe(channelId: string, seen: number, until: number): Promise<boolean> {
      return writeIf(() =>
        healths
          .build(UpdateItemCommand)
          .item({ channelId, openUntil: until })
          .options({ condition: { attr: 'openUntil', eq: seen } })
          .send(),
      );
    },

    /** Records that the receiver asked for no calls until a time. */
    async throttle(channelId: string, until: number): Promise<void> {
      const count = (throttles: ReturnType<typeof $add<1>> | 1) => () =>
        healths.build(UpdateItemCommand).item({ channelId, throttles }).send();
      await writeOrReplace({ what: 'channelHealth', ids: { channelId } }, count($add(1)), count(1));
      await raise(channelId, 'throttledUntil', until);
    },

    /** Records that the owner was told of a mark. */
    note: (channelId: string, mark: number) => raise(channelId, 'noticed', mark),
  };
}

export type ChannelHealthStore = ReturnType<typeof createChannelHealthStore>;
