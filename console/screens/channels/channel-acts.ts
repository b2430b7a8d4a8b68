// What a person does to a channel, beside changing its settings.
import {
  changeChannel,
  confirmChannel,
  deleteChannel,
  type ListedChannel,
  replayChannel,
  unblockChannel,
  unmuteChannel,
} from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { send } from '../../api/send.ts';
import { attempt, told, toldLeaving } from '../../parts/toasts.tsx';
import { plural } from '../../words/amounts.ts';
import { channelName } from './channel-words.ts';

export function confirmAgain(channel: ListedChannel): Promise<boolean> {
  return attempt(async () => {
    await send(confirmChannel, { path: { id: channel.id } });
    told(`A new mail to confirm is on its way to ${channel.address}`);
  });
}

export function unblock(channel: ListedChannel): Promise<boolean> {
  return attempt(async () => {
    await send(unblockChannel, { path: { id: channel.id } });
    told(`The block is lifted; a mail to confirm is on its way to ${channel.address}`);
  });
}

/** @param watch the watch that is heard again; all that is snoozed if absent */
export function unmute(channel: ListedChannel, watch?: string): Promise<boolean> {
  return attempt(async () => {
    await send(unmuteChannel, { path: { id: channel.id }, body: watch ? { watch } : {} });
    told(`${channelName(channel)} gets these alerts again`);
  });
}

export function switchOff(channel: ListedChannel): Promise<boolean> {
  return attempt(async () => {
    await send(changeChannel, { path: { id: channel.id }, body: { status: 'disabled' } });
    told(`Switched off ${channelName(channel)}. A test that arrives switches it on again.`);
  });
}

/** Sends again what a channel failed or missed since a time, ISO 8601; one request may not reach all. */
export function replaySince(channel: ListedChannel, since: string): Promise<boolean> {
  return attempt(async () => {
    let replayed = 0;
    let before: string | null = null;
    do {
      const body: Record<string, string> = { since, ...(before !== null && { before }) };
      const answer = await send(replayChannel, { path: { id: channel.id }, body });
      replayed += answer.replayed;
      before = answer.next;
    } while (before !== null);
    told(
      replayed === 0
        ? 'Nothing was missed since then'
        : `${plural(replayed, 'message')} sent again`,
    );
  });
}

/**
 * Deletes a channel unless it is the last one of active watches.
 * @returns the ids of those watches; undefined if it is about to be deleted, or could not be
 */
export async function tryDelete(channel: ListedChannel): Promise<string[] | undefined> {
  let unheard: string[] | undefined;
  await attempt(async () => {
    try {
      await send(deleteChannel, { path: { id: channel.id }, query: { dry_run: true } });
    } catch (error) {
      const watches = error instanceof RefusedError ? error.members.watches : undefined;
      if (!Array.isArray(watches)) throw error;
      unheard = watches.map(String);
      return;
    }
    leave(channel, false);
  });
  return unheard;
}

/** Deletes a channel, and pauses the watches that have no other one. */
export function deleteAndPause(channel: ListedChannel, watches: readonly string[]): void {
  leave(channel, true, ` and paused ${plural(watches.length, 'watch', 'watches')}`);
}

function leave(channel: ListedChannel, force: boolean, also = ''): void {
  const remove = () =>
    send(deleteChannel, { path: { id: channel.id }, query: { force: force || undefined } });
  toldLeaving(channel.id, `Deleted ${channelName(channel)}${also}`, remove);
}
