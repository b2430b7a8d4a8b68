// The versions of a watch: who changed what and when, each to go back to.
import {
  listVersions,
  restoreVersion,
  type VersionJson,
  type WatchDetail,
} from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { FoldedCard } from '../../parts/folded-card.tsx';
import { Waiting } from '../../parts/states.tsx';
import { At } from '../../parts/time.tsx';
import { attempt, told } from '../../parts/toasts.tsx';
import { usePages } from '../../state/pages.ts';
import { canWrite } from '../../state/session.ts';

export function VersionsCard({ watch }: { watch: WatchDetail }) {
  return (
    <FoldedCard title="Versions" note={`this is number ${watch.version}`}>
      {() => <Versions key={watch.version} watch={watch} />}
    </FoldedCard>
  );
}

function Versions({ watch }: { watch: WatchDetail }) {
  const { rows, error, isMore, readMore } = usePages((after, signal) =>
    send(listVersions, { path: { id: watch.id }, query: { starting_after: after }, signal }),
  );
  if (error.value) return <p class="hint alarm-text">{error.value.message}</p>;
  if (!rows.value) return <Waiting what="the versions" />;
  return (
    <div class="list">
      {rows.value.map((version) => (
        <VersionRow key={version.version} {...{ watch, version }} />
      ))}
      {isMore.value && (
        <button type="button" onClick={readMore}>
          Show more
        </button>
      )}
    </div>
  );
}

function VersionRow({ watch, version }: { watch: WatchDetail; version: VersionJson }) {
  const { version: number, is_current: isCurrent, changed_at: at, words, settings } = version;
  function restore(): void {
    const path = { id: watch.id, version: String(number) };
    const back = { id: watch.id, version: String(watch.version) };
    void attempt(async () => {
      await send(restoreVersion, { path, ifMatch: `"${watch.version}"` });
      told(`Back to version ${number}.`, () => send(restoreVersion, { path: back }));
    });
  }
  return (
    <div>
      <span>
        <b>{number}</b> · {words}
      </span>
      <span class="small muted">
        <At time={at} /> {version.changed_by?.words}
      </span>
      <span class="small muted">{settings.rules.map(({ sentence }) => sentence).join(' · ')}</span>
      {!isCurrent && canWrite.value && (
        <span>
          <button type="button" onClick={restore}>
            Restore
          </button>
        </span>
      )}
    </div>
  );
}
