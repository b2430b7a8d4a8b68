// Watches that were deleted in the last week, and bringing them back.
import { deleteWatch, type ListedWatch, listWatches, restoreWatch } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { whenAndWhere } from '../../parts/event-words.tsx';
import { Ago, At } from '../../parts/time.tsx';
import { attempt, told } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { plural } from '../../words/amounts.ts';

const everyMs = 60_000;

export function DeletedWatches() {
  const { data } = useLive(
    (signal) => readAll(listWatches, { query: { deleted: true }, signal }),
    [],
    everyMs,
  );
  const watches = data.value ?? [];
  if (watches.length === 0) return null;
  return (
    <Card
      title="Deleted watches"
      also={<span class="small muted">{plural(watches.length, 'watch', 'watches')}</span>}
    >
      <ul class="plain-list rows">
        {watches.map((watch) => (
          <Deleted key={watch.id} watch={watch} />
        ))}
      </ul>
    </Card>
  );
}

function Deleted({ watch }: { watch: ListedWatch }) {
  const { id, name, event_name, event_id, deleted } = watch;
  const title = name ?? event_name ?? `Event ${event_id}`;
  const path = { id };
  const restore = () =>
    attempt(async () => {
      const { channels_left_out: gone } = await send(restoreWatch, { path });
      const without =
        gone.length === 0 ? '' : `, without ${plural(gone.length, 'channel')} that no longer exist`;
      told(`Restored ${title}${without}`, () => send(deleteWatch, { path }));
    });
  return (
    <li class="row">
      <span class="grow">
        <b>{title}</b>
        <div class="small muted">
          {whenAndWhere(watch, coarseNow.value, zone.value)}
          {deleted && (
            <>
              {' '}
              · deleted <Ago time={deleted.at} />, kept until <At time={deleted.restorable_until} />
            </>
          )}
        </div>
      </span>
      {canWrite.value && (
        <button type="button" aria-label={`Restore ${title}`} onClick={() => void restore()}>
          Restore
        </button>
      )}
    </li>
  );
}
