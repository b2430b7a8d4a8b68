// The address of the desk: the path says the screen, the query its filters. Back and forward work.
import { signal } from '@preact/signals';

/** Every address of the desk is under this path. */
export const base = '/console';

interface Place {
  /** After the base, such as `/board` or `/events/4711`. */
  path: string;
  query: URLSearchParams;
}

function here(): Place {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : '';
  return {
    path: path === '' || path === '/' ? '/board' : path,
    query: new URLSearchParams(search),
  };
}

export const place = signal(here());

addEventListener('popstate', () => {
  place.value = here();
});

/** Opens an address of the desk, such as `/events/4711`. */
export function open(address: string): void {
  window.history.pushState(null, '', base + address);
  place.value = here();
  window.scrollTo(0, 0);
}

/** Changes filters of the address without a step in the history. An empty value removes its filter. */
export function filter(changes: Readonly<Record<string, string>>): void {
  const { path, query } = place.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  window.history.replaceState(null, '', `${base}${path}${next.size === 0 ? '' : `?${next}`}`);
  place.value = here();
}

/** Matches a path against a form such as `/events/{id}`. @returns the parts by their names */
export function match(form: string, path: string): Record<string, string> | undefined {
  const wanted = form.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [position, segment] of wanted.entries()) {
    const value = given[position] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined && segment !== value) return undefined;
    if (name !== undefined) {
      if (value === '') return undefined;
      try {
        parts[name] = decodeURIComponent(value);
      } catch {
        // An address that is cut off within a letter leads nowhere.
        return undefined;
      }
    }
  }
  return parts;
}
