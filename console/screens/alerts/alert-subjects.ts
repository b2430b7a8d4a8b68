// What alerts can be searched for: the events, the names and the tags of watches.
import type { ListedWatch } from '../../api/calls.ts';

/** What the address says of the filter, as the API takes it. */
export function alertQuery(query: URLSearchParams): Record<string, string | undefined> {
  const of = (name: string) => query.get(name) ?? undefined;
  return { event_id: of('event'), watch_id: of('watch'), tag: of('tag'), state: of('state') };
}

/** A subject that a person can choose by its name. */
export interface Subject {
  label: string;
  filter: Record<string, string>;
}

/** Every event, watch and tag of the owner; a name that two have is told apart by its id. */
export function subjectsOf(watches: readonly ListedWatch[]): Subject[] {
  const none = { event: '', watch: '', tag: '' };
  const events = new Map(
    watches.map(({ event_id, event_name }) => [event_id, event_name ?? `Event ${event_id}`]),
  );
  const tags = new Set(watches.flatMap((watch) => watch.tags));
  const named = watches.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }]));
  const subjects: Subject[] = [
    ...[...events].map(([id, label]) => ({ label, filter: { ...none, event: String(id) } })),
    ...named.map(({ id, name }) => ({ label: `Watch: ${name}`, filter: { ...none, watch: id } })),
    ...[...tags].map((tag) => ({ label: `#${tag}`, filter: { ...none, tag } })),
  ];
  const counts = Map.groupBy(subjects, ({ label }) => label);
  return subjects.map((subject) => {
    const isAlone = counts.get(subject.label)?.length === 1;
    const { event, watch } = subject.filter;
    return isAlone ? subject : { ...subject, label: `${subject.label} (${event || watch})` };
  });
}
