/** What mail programs make of the mails: each feature that one of them drops is named here with what its reader loses. */
import { caniemail } from 'caniemail';
import { type MessageCheck, oneByOne, tryAll } from './check.ts';
import { mailPages } from './samples.ts';

/** The programs of most readers for which caniemail's data tells all of our features. */
const programs = [
  ...['apple-mail.*', 'gmail.*', 'outlook.*', 'yahoo.*', 'aol.*', 'samsung-email.*'],
  ...['protonmail.*', 'fastmail.*', 'hey.*'],
] as const;

/** Features that a program may drop, and how the mail looks without them. */
const mayBeDropped: Readonly<Record<string, string>> = {
  '<style> element': 'light colours, and the paddings of a wide window',
  '@media': 'light colours, and the paddings of a wide window',
  'Class selector': 'light colours, and the paddings of a wide window',
  'color-scheme CSS property': 'the program chooses the colours',
  'color-scheme meta tag': 'the program chooses the colours',
  '<body> element': 'the page has the same background',
  'display:none': 'the second picture has no height',
  'max-height property': 'Outlook reads the second picture as a comment',
  overflow: 'Outlook reads the second picture as a comment',
  'box-sizing': 'the card is 2 px wider',
  'border-radius': 'square corners',
  'letter-spacing': 'wider digits',
  'overflow-wrap': 'a long word widens the mail',
  'word-break': 'a long word widens the mail',
  'white-space': 'a link may be on two lines',
  'text-decoration': 'buttons are underlined',
  'lang attribute': 'a screen reader guesses the language',
  'width attribute': 'the style has the width',
  'height property': 'a picture has its own height',
  'system-ui, ui-serif, ui-sans-serif, ui-rounded, ui-monospace': 'the next font of the list',
};

export const mailFeatureCheck: MessageCheck = {
  title: 'caniemail knows no program that drops what a mail needs',
  run: () =>
    tryAll({
      right: mailPages(),
      wrong: new Map([
        ['a mail with a film', '<p><video src="x.mp4"></video></p>'],
        ['a mail with a grid', '<p style="display:grid">x</p>'],
        ['a mail with a fixed part', '<p style="position:fixed">x</p>'],
      ]),
      faultsIn: oneByOne(faultsOf),
    }),
};

function faultsOf(html: string): string[] {
  const { errors } = caniemail({ clients: [...programs], html }).issues;
  const dropped = [...errors].flatMap(([program, issues]) =>
    issues.map(({ title }) => [title, program] as const),
  );
  const needed = dropped.filter(([title]) => mayBeDropped[title] === undefined);
  const byTitle = Map.groupBy(needed, ([title]) => title);
  return [...byTitle].map(([title, by]) => {
    const names = new Set(by.map(([, program]) => program));
    return `${title} is dropped by ${[...names].join(', ')}`;
  });
}
