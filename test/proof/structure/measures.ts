// The measures of the structure, each taken from the source text.
import { type SourceFile, sourcesUnder, stylesUnder } from '#test/support/source-files.ts';
import { circlesOf } from './circles.ts';

/** One row of the table: the count, and the counted files or names. */
export interface Measure {
  /** The key of the figure in the last line. */
  key: string;
  what: string;
  value: number;
  aim: number;
  evidence: string[];
}

export const productFolders = ['console', 'functions', 'infra', 'marketplace', 'shared'];
const domainFolders = ['rules', 'polling', 'watchlist', 'alerts', 'delivery', 'charts'];
/** The places under `test/` of tests, their shared code, and the programs that measure figures. */
const testPlaces = /\.test\.ts$|^test\/(support|fixtures|proof)\/|\/support\/|\/fixtures\//;

/** The name of one feed kind, and tables with a member for each kind. */
export const feedKind = /'listings'|\bstats\b(?::[^,{};]+)?,\s*listings\b/;

/** Every measure, in the table's order. */
export function measureStructure(): Measure[] {
  const product = productFolders.flatMap(sourcesUnder);
  // The marketplace and the client's contract name their own routes, and the desk's charts their lines.
  const alerting = product.filter(({ path }) => !/^((shared\/)?marketplace|console)\//.test(path));
  const styles = stylesUnder('console');
  const shared = product.filter(({ path }) => path.startsWith('shared/'));
  const domain = shared.filter(({ path }) => domainFolders.includes(path.split('/')[1] ?? ''));
  const factories = product.flatMap(functionsOf);
  const handlers = product.filter(({ path }) => /^functions\/[^/]+\/handler\.ts$/.test(path));
  const programs = sourcesUnder('test').filter(({ path }) => !testPlaces.test(path));
  const composing = naming([...product, ...sourcesUnder('test')], /createRaiseAlert\(\{/);
  return [
    count(
      'channel_kinds',
      'files that name a kind of chat (Discord)',
      3,
      naming(product, /discord/i),
    ),
    count('feed_kinds', "files that name the feed 'listings'", 12, naming(alerting, feedKind)),
    count('circles', 'circles of imports, types included', 0, circlesAmong(product)),
    count('twice_exported', 'type names exported twice', 0, typesExportedTwice(product)),
    count('table_schemas', 'domain files that know the tables', 0, usingTables(domain)),
    count('compositions', 'places that compose raising', 1, composing),
    longest('handler_lines', 'lines of the longest handler', 40, handlers.map(sizeOf)),
    lines('test_programs', 'lines of programs among the tests', 0, programs),
    longest('file_lines', 'lines of the longest file', 250, [...product, ...styles].map(sizeOf)),
    longest('function_lines', 'lines of the longest function', 120, factories),
  ];
}

interface Sized {
  name: string;
  lines: number;
}

function count(key: string, what: string, aim: number, evidence: string[]): Measure {
  return { key, what, value: evidence.length, aim, evidence };
}

function longest(key: string, what: string, aim: number, sizes: Sized[]): Measure {
  const sorted = sizes.toSorted((a, b) => b.lines - a.lines);
  const evidence = sorted
    .filter((each, index) => index === 0 || each.lines > aim)
    .map((each) => `${each.name} ${each.lines}`);
  return { key, what, value: sorted[0]?.lines ?? 0, aim, evidence };
}

function lines(key: string, what: string, aim: number, files: SourceFile[]): Measure {
  const sizes = files.map(sizeOf);
  const value = sizes.reduce((sum, each) => sum + each.lines, 0);
  return { key, what, value, aim, evidence: sizes.map((each) => `${each.name} ${each.lines}`) };
}

/** Files whose code matches; comments don't count. */
export function naming(files: SourceFile[], pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
}

function usingTables(files: SourceFile[]): string[] {
  return files
    .filter(({ imports }) => imports.some((module) => module.startsWith('dynamodb-toolbox')))
    .map(({ path }) => path);
}

/** Each import cycle, types included, as the paths of its files. */
export function circlesAmong(files: SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  return circlesOf(importsOf).map((circle) => circle.join(' '));
}

/** Each name that two files export as a type, with the files; a re-export does not count. */
export function typesExportedTwice(files: SourceFile[]): string[] {
  const exported = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:interface|type|class) (\w+)(?!.*\} from )/gm)].map(
      ([, name = '']) => ({ name, path }),
    ),
  );
  return [...Map.groupBy(exported, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(' ')}`);
}

function sizeOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): Sized {
  return { name: path, lines: text.trimEnd().split('\n').length };
}

/** Top-level functions, found by the formatter's indentation. */
function functionsOf({ path, text }: SourceFile): Sized[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?^\}/gm)].map(
    ([body, name = '']) => ({ name: `${path} ${name}`, lines: body.split('\n').length }),
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
