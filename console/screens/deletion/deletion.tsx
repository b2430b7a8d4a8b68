// After an owner has had everything deleted: how far that is. It needs no key, because none is left.
import { readDeletion } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { useLive } from '../../state/live.ts';
import { deletion } from '../../state/session.ts';
import { count } from '../../words/amounts.ts';

const everyMs = 2_000;

export function Deletion({ id }: { id: string }) {
  const { data } = useLive((signal) => send(readDeletion, { path: { id }, signal }), [id], everyMs);
  const { state = 'queued', deleted = {}, stays = {} } = data.value ?? {};
  const things = Object.entries(deleted).map(([kind, amount]) => `${count(amount)} ${kind}`);
  return (
    <main class="sign-in">
      <div class="mark">
        <i />
        Getin
      </div>
      <div class="card inside" role="status">
        <h1>{state === 'done' ? 'Everything is deleted' : 'Everything is being deleted'}</h1>
        <p class="muted">
          {state === 'failed'
            ? 'A fault on our side stopped it. The operator sees that, and repairs it.'
            : state === 'done'
              ? 'Nothing of you is stored here any longer but what is below.'
              : 'Your keys have ended and nothing more is sent. This takes some minutes, and goes on without this page.'}
        </p>
        {things.length > 0 && <p class="small muted">Deleted so far: {things.join(', ')}.</p>}
        {state === 'done' && (
          <ul class="plain-list small muted">
            {Object.entries(stays).map(([kind, why]) => (
              <li key={kind}>
                {kind}: {why}
              </li>
            ))}
          </ul>
        )}
        <div class="row">
          <button
            type="button"
            onClick={() => {
              deletion.value = undefined;
            }}
          >
            Sign in with another key
          </button>
        </div>
      </div>
    </main>
  );
}
