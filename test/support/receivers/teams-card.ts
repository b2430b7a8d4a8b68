// Adaptive Cards in Teams: which are valid, and what a reader sees of them. Text blocks and facts read some
// markdown; every text, also a text run, expands {{DATE(…)}} and {{TIME(…)}}.
import { isObject } from './receiver.ts';
import {
  asItIs,
  joined,
  type Mark,
  readText,
  type ShownText,
  syntaxOf,
  type TextRule,
} from './shown-text.ts';

type Element = Record<string, unknown>;

const dates: TextRule = {
  pattern: /\{\{(?:DATE|TIME)\([^)]*\)\}\}/,
  kind: 'date',
  show: (_, whole) => whole,
};
const escapes: TextRule = {
  pattern: /\\(?<escaped>[\\`*_{}[\]()#+\-.!~<>|&])/,
  show: ({ escaped = '' }) => escaped,
};
const links: TextRule = {
  pattern: /\[(?<label>(?:\\.|[^\]\n])+)\]\((?<target>[^)\s]+)\)/,
  kind: 'link',
  show: ({ label = '' }) => label,
  url: ({ target = '' }) => target,
};
const styles: TextRule = {
  pattern: /(?<fence>\*{1,3}|_{1,3}|~~)(?=[^\s*_])(?<styled>(?:\\.|[^\\\n])*?[^\s\\])\k<fence>/,
  kind: 'style',
  show: ({ styled = '' }) => styled,
  isNested: true,
};
const lists: TextRule = { pattern: /^(?:[-*+] |\d+\. )(?=\S)/, kind: 'style', show: () => '' };
const entities: TextRule = {
  pattern: /&(?<entity>amp|lt|gt|quot|#\d+);/,
  show: ({ entity = '' }) =>
    ({ amp: '&', lt: '<', gt: '>', quot: '"' })[entity] ??
    String.fromCodePoint(Number(entity.slice(1))),
};

const runText = syntaxOf([dates]);
const blockText = syntaxOf([dates, escapes, entities, links, styles, lists]);

const known = new Set([
  ...['TextBlock', 'RichTextBlock', 'FactSet', 'Container', 'ColumnSet', 'Column', 'Image'],
  ...['ActionSet'],
]);

/** Why Teams does not show the card; the flow accepts it all the same. */
export function cardFaults(card: unknown): string[] {
  if (!isObject(card) || card.type !== 'AdaptiveCard') return ['is no AdaptiveCard'];
  const [, minor = '9'] = /^1\.(\d)$/.exec(String(card.version)) ?? [];
  const elements = listIn(card.body);
  return [
    ...(Number(minor) <= 5 ? [] : [`version ${String(card.version)} is not supported`]),
    ...(elements.length > 0 ? [] : ['has no body']),
    ...elements.flatMap(elementFaults),
    ...listIn(card.actions).flatMap(actionFaults),
    ...(listIn(card.actions).length > 6 ? ['has more than 6 actions'] : []),
  ];
}

function elementFaults(element: Element): string[] {
  const { type } = element;
  if (!known.has(String(type))) return [`has an unknown element ${String(type)}`];
  const inner = [...listIn(element.items), ...listIn(element.columns)];
  return [
    ...(type === 'TextBlock' && typeof element.text !== 'string' ? ['TextBlock has no text'] : []),
    ...(type === 'RichTextBlock' && !Array.isArray(element.inlines) ? ['has no inlines'] : []),
    ...(type === 'Image' && !/^https:/.test(String(element.url))
      ? ['has an image without https']
      : []),
    ...(type === 'FactSet'
      ? listIn(element.facts).flatMap(({ title, value }) =>
          typeof title === 'string' && typeof value === 'string' ? [] : ['a fact has no value'],
        )
      : []),
    ...inner.flatMap(elementFaults),
    ...listIn(element.actions).flatMap(actionFaults),
  ];
}

function actionFaults({ type, title, url }: Element): string[] {
  if (type !== 'Action.OpenUrl')
    return [`has the action ${String(type)}, which a flow cannot answer`];
  return typeof title === 'string' && /^https?:/.test(String(url)) ? [] : ['an action has no URL'];
}

export function readCard(card: Element): ShownText {
  // A text <at>…</at> mentions somebody only if the card says who that is.
  const { entities = [] } = isObject(card.msteams) ? card.msteams : {};
  const mentioned = listIn(entities).map(({ text }) =>
    marked({ kind: 'mention', text: String(text) }),
  );
  return joined([
    ...mentioned,
    ...listIn(card.body).flatMap(readElement),
    ...listIn(card.actions).map(readAction),
  ]);
}

function readElement(element: Element): ShownText[] {
  switch (element.type) {
    case 'TextBlock':
      return [readText(String(element.text), blockText)];
    case 'RichTextBlock':
      return [readRuns(element.inlines)];
    case 'FactSet':
      return listIn(element.facts).flatMap(({ title, value }) => [
        readText(String(title), blockText),
        readText(String(value), blockText),
      ]);
    case 'Image':
      return [
        marked({ kind: 'image', text: String(element.altText ?? ''), url: String(element.url) }),
      ];
    default:
      return [
        ...[...listIn(element.items), ...listIn(element.columns)].flatMap(readElement),
        ...listIn(element.actions).map(readAction),
      ];
  }
}

function readRuns(inlines: unknown): ShownText {
  const runs = (Array.isArray(inlines) ? inlines : []).map((run) => {
    if (!isObject(run)) return readText(String(run), runText);
    const shown = readText(String(run.text), runText);
    const link = isObject(run.selectAction)
      ? readAction({ ...run.selectAction, title: shown.text })
      : undefined;
    return link ? { text: shown.text, marks: [...link.marks, ...shown.marks] } : shown;
  });
  return {
    text: runs.map(({ text }) => text).join(''),
    marks: runs.flatMap(({ marks }) => marks),
  };
}

function readAction({ title, url }: Element): ShownText {
  return marked({ kind: 'button', text: String(title), url: String(url) });
}

function marked(mark: Mark): ShownText {
  return { ...asItIs(mark.text), marks: [mark] };
}

function listIn(value: unknown): Element[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
