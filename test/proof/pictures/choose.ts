// Which pictures the names on the command line mean.
import { LocalRunError } from '#infra/local/errors.ts';
import type { Picture, Subject } from './picture.ts';

export interface Chosen {
  /** The name of its subject. */
  subject: string;
  picture: Picture;
}

/**
 * @param names of subjects, or of pictures as `subject/picture`; none for all
 * @throws LocalRunError for a name that no picture has
 */
export function choose(subjects: readonly Subject[], names: readonly string[]): Chosen[] {
  const all = subjects.flatMap(({ name: subject, pictures }) =>
    pictures.map((picture) => ({ subject, picture, path: `${subject}/${picture.name}` })),
  );
  const matching = (name: string) =>
    all.filter(({ subject, path }) => subject === name || path === name);
  const unknown = names.find((name) => matching(name).length === 0);
  if (unknown !== undefined) {
    const paths = all.map(({ path }) => path).join(', ');
    throw new LocalRunError(`There is no picture ${unknown}. There are: ${paths}.`);
  }
  return names.length === 0 ? all : names.flatMap(matching);
}
