import { describe, expect, it } from 'vitest';
import { choose } from './choose.ts';

const pictureNamed = (name: string) => ({ name, looks: [], show: async () => {} });
const subjects = [
  { name: 'mails', pictures: [pictureNamed('level'), pictureNamed('test')] },
  { name: 'inbox', pictures: [pictureNamed('list')] },
];
const chosenBy = (...names: string[]) =>
  choose(subjects, names).map(({ subject, picture }) => `${subject}/${picture.name}`);

describe('the names of pictures', () => {
  it.each([
    [[], ['mails/level', 'mails/test', 'inbox/list']],
    [['inbox'], ['inbox/list']],
    [
      ['mails/test', 'inbox'],
      ['mails/test', 'inbox/list'],
    ],
  ])('%j choose %j', (names, chosen) => {
    expect(chosenBy(...names)).toEqual(chosen);
  });

  it('are told for a name that there is not', () => {
    expect(() => chosenBy('level')).toThrow(
      'There is no picture level. There are: mails/level, mails/test, inbox/list.',
    );
  });
});
