// Makes an action complete: a snooze gets its end, and channels that are named get their ids. So a job that carries it
// out later does the same.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { Fault } from '../../faults.ts';
import { invalidFaults } from '../../problem.ts';
import { nameChannels } from '../channel-names.ts';
import { type BulkAction, longestSnoozeMs } from './bulk-actions.ts';

/** `now` is epoch milliseconds. @throws ProblemError for a snooze in the past, or a channel that the owner lacks. */
export async function resolveAction(
  { channels }: Pick<Stores, 'channels'>,
  { ownerId, action, now }: { ownerId: string; action: BulkAction; now: number },
): Promise<BulkAction> {
  if (action.type === 'snooze') return { type: 'snooze', until: snoozeEnd(action, now) };
  if (!('channels' in action)) return action;
  const { rows } = await channels.list(ownerId, { limit: 1_000 });
  const own = new Set(rows.map(({ channelId }) => channelId));
  const names = nameChannels(rows);
  const faults: Fault[] = [];
  const ids = action.channels.map((written, index) => {
    const found = names.id(written);
    const isOwn = 'id' in found && own.has(found.id);
    const detail = 'id' in found ? 'is no channel of yours' : found.detail;
    if (!isOwn) faults.push({ pointer: `#/action/channels/${index}`, detail });
    return 'id' in found ? found.id : written;
  });
  if (faults.length > 0) throw invalidFaults(faults);
  return { ...action, channels: [...new Set(ids)] };
}

function snoozeEnd(
  { until, minutes }: Extract<BulkAction, { type: 'snooze' }>,
  now: number,
): string {
  const end = minutes === undefined ? Date.parse(until ?? '') : now + minutes * 60_000;
  if (end > now && end <= now + longestSnoozeMs) return new Date(end).toISOString();
  const detail = 'must be in the future, and within 400 days';
  throw invalidFaults([{ pointer: '#/action/until', detail }]);
}
