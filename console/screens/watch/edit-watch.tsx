// A watch that exists: everything of it can be changed here, and what it did can be read.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import {
  changeWatch,
  type EventDetail,
  readEvent,
  readWatch,
  restoreVersion,
  restoreWatch,
  type WatchDetail,
} from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { send } from '../../api/send.ts';
import { whenAndWhere } from '../../parts/event-words.tsx';
import { Link } from '../../parts/link.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { attempt, told } from '../../parts/toasts.tsx';
import { place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { canWrite } from '../../state/session.ts';
import { zone } from '../../state/status.ts';
import { Compose } from './compose.tsx';
import { bareEvent, changeOf, compositionOf } from './composition.ts';
import { ExplainCard } from './explain-card.tsx';
import { NamesCard } from './names-card.tsx';
import { VersionsCard } from './versions-card.tsx';
import { WatchActions } from './watch-actions.tsx';

interface Read {
  watch: WatchDetail;
  event: EventDetail;
}

async function readBoth(id: string, signal: AbortSignal): Promise<Read> {
  const watch = await send(readWatch, { path: { id }, signal });
  const path = { event_id: String(watch.event_id) };
  const event = await send(readEvent, { path, signal }).catch((error) => {
    if (error instanceof RefusedError) return bareEvent(watch);
    throw error;
  });
  return { watch, event };
}

export function EditWatch({ id }: { id: string }) {
  const { data, error } = useLive((signal) => readBoth(id, signal), [id]);
  if (!data.value) {
    return error.value ? <Missing id={id} error={error.value} /> : <Waiting what="the watch" />;
  }
  return <Editing newest={data.value} />;
}

/** A deleted watch can be brought back for some days. */
function Missing({ id, error }: { id: string; error: Error }) {
  const isDeleted = error instanceof RefusedError && error.message.includes('was deleted');
  if (!isDeleted) return <Failed error={error} />;
  return (
    <div class="card blank">
      <h1>This watch was deleted</h1>
      {canWrite.value && (
        <button
          type="button"
          onClick={() => void attempt(() => send(restoreWatch, { path: { id } }))}
        >
          Bring it back
        </button>
      )}
    </div>
  );
}

/** What is written here stays until it is saved, also when the watch is changed elsewhere meanwhile. */
function Editing({ newest }: { newest: Read }) {
  const base = useSignal(newest);
  const isSaved = useSignal(false);
  const { watch, event } = base.value;
  const composition = useMemo(
    () => compositionOf(event, watch, place.value.query.get('rule') ?? undefined),
    [watch.id, watch.version],
  );
  const before = useMemo(() => written(composition), [composition]);
  const isChanged = written(composition) !== before;
  const isElsewhere = newest.watch.version !== watch.version;
  const take = () => {
    base.value = newest;
    isSaved.value = false;
  };
  useEffect(() => {
    if (isElsewhere && (!isChanged || isSaved.value)) take();
  }, [newest.watch.version, isChanged]);

  async function save(channels: readonly string[] | undefined): Promise<void> {
    const { id, version } = watch;
    await send(changeWatch, {
      ...{ path: { id }, ifMatch: `"${version}"`, body: changeOf(composition, channels) },
    });
    isSaved.value = true;
    told('Saved.', () => send(restoreVersion, { path: { id, version: String(version) } }));
  }
  return (
    <>
      <Heading watch={newest.watch} event={event} />
      {isElsewhere && isChanged && !isSaved.value && (
        <div class="lost notice" role="status">
          This watch was changed elsewhere meanwhile.{' '}
          <button type="button" onClick={take}>
            Show it as it is now
          </button>
        </div>
      )}
      <Compose
        key={`${watch.id} ${watch.version}`}
        composition={composition}
        saveText="Save"
        blocked={isChanged ? '' : 'Nothing is changed.'}
        save={save}
      >
        <NamesCard composition={composition} />
        <ExplainCard watchId={watch.id} />
        <VersionsCard watch={newest.watch} />
      </Compose>
    </>
  );
}

/** What a person has written, to compare. */
function written(composition: ReturnType<typeof compositionOf>): string {
  const { channels } = composition;
  return JSON.stringify([changeOf(composition, channels.value), channels.value]);
}

function Heading({ watch, event }: Read) {
  const { event_id: id, event_name: name } = event;
  return (
    <div class="heading">
      <div>
        <h1>{watch.name ?? 'Your watch'}</h1>
        <p class="muted lead">
          <Link to={`/events/${id}`} class="name">
            {name ?? `Event ${id}`}
          </Link>{' '}
          · {whenAndWhere({ ...event, ...watch }, coarseNow.value, zone.value)}
        </p>
        {watch.trouble.map(({ code, severity, text, ends }) => (
          <p key={code} class={severity === 'silent' ? 'alarm-text' : 'wait-text'}>
            {text} {ends}
          </p>
        ))}
      </div>
      <WatchActions watch={watch} />
    </div>
  );
}
