// Watches that are known by their ids alone, named.
import { readWatch } from '../api/calls.ts';
import { send } from '../api/send.ts';
import { useLive } from '../state/live.ts';
import { plural } from '../words/amounts.ts';
import { Link } from './link.tsx';

/** More are counted. */
const mostNamed = 8;
/** Names rarely change. */
const everyMs = 600_000;

interface NamedWatch {
  id: string;
  name: string;
}

async function nameOf(id: string, signal: AbortSignal): Promise<NamedWatch> {
  try {
    const { name, event_name, event_id } = await send(readWatch, { path: { id }, signal });
    return { id, name: name ?? event_name ?? `Event ${event_id}` };
  } catch {
    // A watch that can't be read is still one that the list is about.
    return { id, name: id };
  }
}

/** The names of watches, by id, in the same order; their ids until the answer comes. */
export function useWatchNames(ids: readonly string[]): NamedWatch[] {
  const named = ids.slice(0, mostNamed);
  const { data } = useLive(
    (signal) => Promise.all(named.map((id) => nameOf(id, signal))),
    [named.join()],
    everyMs,
  );
  return data.value ?? named.map((id) => ({ id, name: id }));
}

/** `Knicks at Heat, Nets at Magic and 3 more`, as links. */
export function WatchNames({ ids }: { ids: readonly string[] }) {
  const watches = useWatchNames(ids);
  const more = ids.length - watches.length;
  return (
    <>
      {watches.map(({ id, name }, place) => (
        <>
          {place > 0 && ', '}
          <Link key={id} class="link" to={`/watches/${id}`}>
            {name}
          </Link>
        </>
      ))}
      {more > 0 && ` and ${plural(more, 'more', 'more')}`}
    </>
  );
}
