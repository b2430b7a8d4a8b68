// Which screen is shown: the one of the address, or signing in.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Frame } from './frame.tsx';
import { Failed, Waiting } from './parts/states.tsx';
import { match, place } from './router.ts';
import { Deletion } from './screens/deletion/deletion.tsx';
import { NotFound } from './screens/not-found.tsx';
import { screens } from './screens/screens.ts';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { retryEveryMs } from './state/live.ts';
import { deletion, readSession, session } from './state/session.ts';

/** The whole desk. */
export function App() {
  const failure = useSignal<Error | undefined>(undefined);
  const isSignedIn = typeof session.value === 'object';

  async function begin(): Promise<void> {
    try {
      await readSession();
      failure.value = undefined;
    } catch (error) {
      failure.value = error as Error;
      setTimeout(() => void begin(), retryEveryMs);
    }
  }

  useEffect(() => {
    // A link that signs in is used before anything is asked.
    if (place.value.path === '/sign-in') session.value = undefined;
    else void begin();
  }, []);

  if (failure.value) return <Failed error={failure.value} />;
  if (session.value === 'unknown') return <Waiting what="the desk" />;
  if (deletion.value) return <Deletion id={deletion.value} />;
  return isSignedIn ? <Screen /> : <SignIn />;
}

function Screen() {
  const { path } = place.value;
  for (const { form, Show, title } of screens) {
    const parts = match(form, path);
    if (parts) {
      return (
        <Frame title={title}>
          <Show key={path} {...parts} />
        </Frame>
      );
    }
  }
  return (
    <Frame title="Not found">
      <NotFound />
    </Frame>
  );
}
