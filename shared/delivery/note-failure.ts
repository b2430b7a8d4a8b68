// Records a failed attempt in its channel's health, sends the owner notices while the failures continue, and
// at last switches the channel off.
import type { ChannelHealthStore } from '#shared/dynamo/channel-health.ts';
import type { Attempted } from './attempt-result.ts';
import type { Channel } from './channel.ts';
import { type ChannelHealth, markToTell, openForMs } from './channel-health.ts';
import { storableChannelTitle } from './message/channel-title.ts';
import {
  blockedNotice,
  type ChannelTrouble,
  type OwnerNotice,
  troubleNotice,
} from './message/message-kinds.ts';
import { suppressionBehind } from './suppression.ts';
import type { SwitchOff } from './switch-off.ts';
import type { TellOwner } from './tell-owner.ts';

interface NoteFailureDeps {
  health: Pick<ChannelHealthStore, 'countFailure' | 'note' | 'open'>;
  tellOwner: TellOwner;
  switchOff: SwitchOff;
}

/** @returns a function that records one failure, and one that switches off a channel that is gone. */
export function createNoteFailure(deps: NoteFailureDeps) {
  return { noteFailure, switchOff };

  async function noteFailure(
    attempted: Attempted,
    lastReason: string,
    isPerhapsGone: boolean,
  ): Promise<ChannelHealth> {
    const { channel, endedAt: now } = attempted;
    const seen = { now, lastReason, isPerhapsGone };
    const health = await deps.health.countFailure(channel.channelId, seen);
    const openMs = openForMs(health);
    if (openMs > 0) await deps.health.open(channel.channelId, now + openMs);
    const mark = markToTell(health, now);
    if (mark === 100) await switchOff(attempted, health, lastReason);
    else if (mark !== undefined) {
      await tell(attempted, health, { percent: mark, reason: lastReason });
      await deps.health.note(channel.channelId, mark);
    }
    return health;
  }

  async function switchOff(
    { channel, endedAt: now }: Attempted,
    health: ChannelHealth,
    reason: string,
  ): Promise<void> {
    const suppression = suppressionBehind(reason);
    const notice = suppression
      ? blockedNotice(storableChannelTitle(channel), suppression)
      : noticeOf(channel, health, { percent: 100, reason, now });
    await deps.switchOff(channel, { reason, notice, now });
  }

  async function tell(
    { channel, endedAt: now }: Attempted,
    health: ChannelHealth,
    { percent, reason }: { percent: 50 | 70 | 90; reason: string },
  ): Promise<void> {
    const { ownerId, channelId } = channel;
    const { failingSince = now } = health;
    await deps.tellOwner({
      ownerId,
      subject: `trouble#${channelId}#${failingSince}#${percent}`,
      notice: noticeOf(channel, health, { percent, reason, now }),
      exceptChannelId: channelId,
      now,
    });
  }
}

function noticeOf(
  channel: Channel,
  { failingSince }: ChannelHealth,
  { now, ...trouble }: Pick<ChannelTrouble, 'percent' | 'reason'> & { now: number },
): OwnerNotice {
  const failingForMs = now - (failingSince ?? now);
  return troubleNotice({ channel: storableChannelTitle(channel), failingForMs, ...trouble });
}
