// Signing in: by a one-time link, whose token is after the # of the address, or by an API key.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { SignedOutError } from '../../api/errors.ts';
import { open, place } from '../../router.ts';
import { signIn } from '../../state/session.ts';

export function SignIn() {
  const key = useSignal('');
  const trouble = useSignal('');
  const isBusy = useSignal(false);

  async function begin(by: Parameters<typeof signIn>[0]): Promise<void> {
    isBusy.value = true;
    trouble.value = '';
    try {
      await signIn(by);
      key.value = '';
      if (place.value.path === '/sign-in') open('/board');
    } catch (error) {
      const isUnknown = error instanceof SignedOutError && 'key' in by;
      trouble.value = isUnknown
        ? 'This key is not known here, or has ended. Copy it again, whole: it begins with getin_.'
        : (error as Error).message;
    } finally {
      isBusy.value = false;
    }
  }

  useEffect(() => {
    const token = window.location.hash.slice(1);
    if (place.value.path !== '/sign-in' || token === '') return;
    // The token works once; it must not stay in the history.
    window.history.replaceState(null, '', window.location.pathname);
    void begin({ link_token: token });
  }, []);

  function submit(event: Event): void {
    event.preventDefault();
    if (key.value.trim() === '') trouble.value = 'Paste your API key.';
    else void begin({ key: key.value.trim() });
  }

  return (
    <main class="sign-in">
      <div class="mark">
        <i />
        Getin
      </div>
      <form class="card" onSubmit={submit}>
        <h1>Sign in</h1>
        <p class="muted">
          With your API key. It becomes a session of 12 hours in this browser; no page keeps the
          key.
        </p>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          placeholder="getin_…"
          value={key.value}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value;
          }}
          {...(trouble.value !== '' && { 'aria-invalid': true, 'aria-describedby': 'trouble' })}
        />
        <p id="trouble" class="alarm-text" role="alert">
          {trouble.value}
        </p>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
