// What is around every screen: the navigation, the pulls of today, the age of the data, a lost connection.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { readStatus } from './api/calls.ts';
import { send } from './api/send.ts';
import { Link } from './parts/link.tsx';
import { carryOutWaiting, openDialogs, Toasts } from './parts/toasts.tsx';
import { place } from './router.ts';
import { screens } from './screens/screens.ts';
import { now } from './state/clock.ts';
import { lostSince } from './state/connection.ts';
import { useLive } from './state/live.ts';
import { canWrite } from './state/session.ts';
import { status } from './state/status.ts';
import { count } from './words/amounts.ts';
import { span } from './words/times.ts';

interface FrameProps {
  title: string;
  children: ComponentChildren;
}

export function Frame({ title, children }: FrameProps) {
  const { path } = place.value;
  useEffect(() => {
    document.title = `${title} · Getin`;
  }, [title]);
  useEffect(() => {
    const onHide = () => void carryOutWaiting();
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <Link to="/board" class="mark" aria-label="Getin, the board">
          <i />
          Getin
        </Link>
        <nav aria-label="Screens">
          {screens.map(
            ({ nav, form }) =>
              nav && (
                <Link
                  key={form}
                  to={form}
                  {...(path.startsWith(form) && { 'aria-current': 'page' })}
                >
                  {nav}
                </Link>
              ),
          )}
        </nav>
        <div class="right">
          <Pulls />
          {canWrite.value && (
            <Link to="/watches/new" class="button primary">
              New watch
            </Link>
          )}
        </div>
      </header>
      <LostConnection />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {openDialogs.value === 0 && <Toasts />}
    </>
  );
}

/** Money first: what today's polling has cost, and how old the data is. */
function Pulls() {
  const { data } = useLive((signal) => send(readStatus, { signal }), []);
  useEffect(() => {
    status.value = data.value;
  }, [data.value]);
  if (!data.value) return <span class="meter" />;
  const { pulls_today: today, answered_at: answeredAt } = data.value;
  const share = today.cap === 0 ? 0 : Math.min(1, today.spent / today.cap);
  return (
    <>
      <Link to="/money" class="meter">
        <span class="small muted">
          {count(today.spent)} of {count(today.cap)} pulls today
        </span>
        <b>
          <i style={{ width: `${Math.round(share * 100)}%` }} />
        </b>
      </Link>
      {answeredAt && (
        <span class="small muted hide">data {span(now.value - Date.parse(answeredAt))} old</span>
      )}
    </>
  );
}

function LostConnection() {
  const since = lostSince.value;
  if (since === undefined) return null;
  return (
    <div class="lost" role="alert">
      Getin is not reached for {span(now.value - since)}. What you see is as it was then; your
      alerts are sent all the same.
    </div>
  );
}
