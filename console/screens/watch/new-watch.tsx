// A new watch: first the event, then its rule.
import { useMemo } from 'preact/hooks';
import {
  type CreatedWatch,
  createWatch,
  deleteWatch,
  type EventDetail,
  readEvent,
} from '../../api/calls.ts';
import { RefusedError } from '../../api/errors.ts';
import { send } from '../../api/send.ts';
import { isEventId, whenAndWhere } from '../../parts/event-words.tsx';
import { Link } from '../../parts/link.tsx';
import { Failed, Waiting } from '../../parts/states.tsx';
import { told } from '../../parts/toasts.tsx';
import { open, place } from '../../router.ts';
import { coarseNow } from '../../state/clock.ts';
import { useLive } from '../../state/live.ts';
import { zone } from '../../state/status.ts';
import { dollars } from '../../words/amounts.ts';
import { Compose } from './compose.tsx';
import { bareEvent, newComposition, newWatchOf } from './composition.ts';
import { chosenEvent, FindEvent } from './find-event.tsx';
import { tellsAtOnce } from './modifiers.ts';
import type { RuleDraft } from './rule-draft.ts';

export function NewWatch() {
  const id = place.value.query.get('event') ?? '';
  return isEventId(id) ? <OnEvent key={id} id={id} /> : <FindEvent />;
}

/** An event of which nothing is stored yet is known by its search alone. */
async function readOrFound(id: string, signal: AbortSignal): Promise<EventDetail> {
  try {
    return await send(readEvent, { path: { event_id: id }, signal });
  } catch (error) {
    if (!(error instanceof RefusedError && error.status === 404)) throw error;
    const found = chosenEvent.value;
    return bareEvent(found?.event_id === Number(id) ? found : { event_id: Number(id) });
  }
}

function OnEvent({ id }: { id: string }) {
  const { data, error } = useLive((signal) => readOrFound(id, signal), [id]);
  if (data.value) return <Composing event={data.value} />;
  return error.value ? <Failed error={error.value} /> : <Waiting what="the event" />;
}

function Composing({ event }: { event: EventDetail }) {
  const { event_id: id, event_name: name, latest } = event;
  const composition = useMemo(
    () => newComposition(event, place.value.query.get('zone') ?? undefined),
    [id],
  );
  async function save(channels: readonly string[] | undefined): Promise<void> {
    const watch = await send(createWatch, { body: newWatchOf(composition, channels) });
    told(madeText(watch), () => send(deleteWatch, { path: { id: watch.id } }));
    open(`/events/${id}`);
  }
  const getIn = latest?.metrics.get_in ?? null;
  return (
    <>
      <h1>New watch</h1>
      <p class="muted lead">
        <Link to={`/events/${id}`} class="name">
          {name ?? `Event ${id}`}
        </Link>{' '}
        · {whenAndWhere(event, coarseNow.value, zone.value)}
        {getIn !== null && ` · get-in now ${dollars(getIn)}`}{' '}
        <Link to="/watches/new" class="link">
          change
        </Link>
      </p>
      <Compose composition={composition} saveText="Watch it" save={save} />
    </>
  );
}

/** A rule that is true already alerts at once, unless it waits. */
function madeText({ event_name: name, rules }: CreatedWatch): string {
  const isTrue = rules.some((each) => each.currently_true && tellsAtOnce(each.rule as RuleDraft));
  const watching = `You watch ${name ?? 'the event'}.`;
  return isTrue ? `${watching} It is true already, so an alert is on its way.` : watching;
}
