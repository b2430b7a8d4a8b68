// Switches off a channel that no longer works, and tells its owner by another channel, with the list of
// watches that now have no working channel.
import type { ChannelStore } from '#shared/dynamo/channels.ts';
import type { Channel } from './channel.ts';
import type { OwnerNotice } from './message/message-kinds.ts';
import type { TellOwner } from './tell-owner.ts';
import { type FindUnreached, unreachedParagraphs } from './unreached.ts';

interface SwitchOffDeps {
  channels: Pick<ChannelStore, 'changeStatus'>;
  findUnreached: FindUnreached;
  tellOwner: TellOwner;
}

/**
 * @param channel as it was read before. What was found about it is stored already, so it counts as a channel
 * that does not work.
 */
export type SwitchOff = (
  channel: Channel,
  why: { reason: string; notice: OwnerNotice; now: number },
) => Promise<void>;

/**
 * The notice comes first, and its id is made from the channel's revision: after a crash, or if another
 * sender finds the same fault, the owner still gets one notice.
 */
export function createSwitchOff({ channels, findUnreached, tellOwner }: SwitchOffDeps): SwitchOff {
  return async function switchOff(channel, { reason, notice, now }) {
    const { ownerId, channelId, revision = 0 } = channel;
    const watches = await findUnreached(channel, { now });
    const { headline, paragraphs } = notice;
    await tellOwner({
      ownerId,
      subject: `off#${channelId}#${revision}`,
      notice: { headline, paragraphs: [...paragraphs, ...unreachedParagraphs(watches)] },
      exceptChannelId: channelId,
      now,
    });
    const off = { status: 'disabled', disabledReason: reason } as const;
    await channels.changeStatus(channelId, ['active'], off);
  };
}
