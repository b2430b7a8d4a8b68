// This browser's session, and the way to sign another one in.
import { useSignal } from '@preact/signals';
import { makeSignInLink } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Secret } from '../../parts/secret.tsx';
import { At } from '../../parts/time.tsx';
import { attempt, carryOutWaiting } from '../../parts/toasts.tsx';
import { session, signOut } from '../../state/session.ts';

export function SignInCard() {
  const link = useSignal<{ url: string; expires_at: string } | undefined>(undefined);
  const current = session.value;
  const make = () =>
    attempt(async () => {
      link.value = await send(makeSignInLink);
    });
  const end = () =>
    attempt(async () => {
      await carryOutWaiting();
      await signOut();
    });
  return (
    <Card title="Signed in">
      <div class="inside">
        {typeof current === 'object' && (
          <p class="muted">
            With the key {current.key.name ?? current.key.hint} ({current.key.scope})
            {current.expires_at && (
              <>
                {' '}
                until <At time={current.expires_at} />
              </>
            )}
            .
          </p>
        )}
        <div class="row">
          <button type="button" onClick={() => void make()}>
            Sign in on your phone
          </button>
          <button type="button" onClick={() => void end()}>
            Sign out
          </button>
        </div>
        {link.value && (
          <>
            <Secret label="Open this link there" value={link.value.url} />
            <p class="small muted">
              It works once, until <At time={link.value.expires_at} />, with what your key may do.
              It is not for sharing.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}
