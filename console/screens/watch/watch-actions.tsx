// Pause, snooze, delete: each can be taken back.
import {
  deleteWatch,
  pauseWatch,
  restoreWatch,
  resumeWatch,
  snoozeWatch,
  type WatchDetail,
} from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { attempt, told } from '../../parts/toasts.tsx';
import { open } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { shortTime } from '../../words/times.ts';

const aDay = 24 * 60;

export function WatchActions({ watch }: { watch: WatchDetail }) {
  const { id, status, snoozed_until: snoozedUntil, event_id: eventId } = watch;
  const path = { id };
  const pause = () => send(pauseWatch, { path });
  const resume = () => send(resumeWatch, { path });
  const snooze = (body: { minutes: number } | { until: string | null }) =>
    send(snoozeWatch, { path, body });
  /** Does one thing and offers the other. */
  const act = (text: string, does: () => Promise<unknown>, undo: () => Promise<unknown>) =>
    void attempt(async () => {
      await does();
      told(text, undo);
    });
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > coarseNow.value;
  const restore = () => send(restoreWatch, { path });
  if (!canWrite.value) return null;
  return (
    <div class="actions">
      {status === 'active' && (
        <button type="button" onClick={() => act('Paused.', pause, resume)}>
          Pause
        </button>
      )}
      {status === 'paused' && (
        <button type="button" onClick={() => act('Resumed.', resume, pause)}>
          Resume
        </button>
      )}
      {isSnoozed ? (
        <button
          type="button"
          onClick={() =>
            act(
              'The snooze is over.',
              () => snooze({ until: null }),
              () => snooze({ until: snoozedUntil }),
            )
          }
        >
          End the snooze to {shortTime(Date.parse(snoozedUntil), coarseNow.value, zone.value)}
        </button>
      ) : (
        <button
          type="button"
          onClick={() =>
            act(
              'Snoozed for a day.',
              () => snooze({ minutes: aDay }),
              () => snooze({ until: null }),
            )
          }
        >
          Snooze a day
        </button>
      )}
      <button
        type="button"
        onClick={() =>
          act(
            'Deleted.',
            async () => {
              await send(deleteWatch, { path });
              open(`/events/${eventId}`);
            },
            restore,
          )
        }
      >
        Delete
      </button>
    </div>
  );
}
