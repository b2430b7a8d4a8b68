/**
 * Reads from the sources what each function does with AWS: the modules that esbuild keeps in its
 * bundle, the store methods that those name, and the commands in those methods. The result may have
 * too much but never too little: a method counts as used if its name appears with its store's name.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

export interface TableUse {
  /** Actions on the table itself, sorted. */
  actions: string[];
  /** Indexes queried, sorted. */
  indexes: string[];
}

export interface CodeAccess {
  watchlist: TableUse;
  snapshots: TableUse;
  /** AWS SDK commands sent outside the stores, sorted. */
  commands: string[];
  /** Variables of the queues that messages are sent to, and of the secrets read. */
  sendsTo: string[];
  reads: string[];
  /** Whether it posts to URLs that owners give. */
  postsOutward: boolean;
}

const actionOf: Record<string, string> = {
  GetItemCommand: 'GetItem',
  PutItemCommand: 'PutItem',
  UpdateItemCommand: 'UpdateItem',
  UpdateAttributesCommand: 'UpdateItem',
  DeleteItemCommand: 'DeleteItem',
  QueryCommand: 'Query',
  ScanTableCommand: 'Scan',
};

interface Method {
  store: Store;
  name: string;
  text: string;
}

interface Store {
  table: 'watchlist' | 'snapshots';
  /** The name in the code that uses it: `feeds`, or the name of a parameter of its type. */
  names: Set<string>;
  /** `FeedStore`. */
  type: string;
  methods: Method[];
  /** Functions of the file that its methods call, by name. */
  inner: Map<string, string>;
}

/** @param name the function's folder */
export async function accessInCode(name: string): Promise<CodeAccess> {
  const modules = await bundledModules(join(projectRoot, 'functions', name, 'handler.ts'));
  const texts = [...modules.values()];
  const stores = [...modules].flatMap(([path, text]) => storeIn(path, text, texts) ?? []);
  const shared = sharedQueries(modules);
  const users = texts.filter((text) => !storeMaker.test(text));
  const used = reachable(stores, users);
  const access: CodeAccess = {
    watchlist: { actions: [], indexes: [] },
    snapshots: { actions: [], indexes: [] },
    commands: matchesIn(users, /new (\w+Command)\(/g),
    sendsTo: matchesIn(users, /createQueueSender\(.*?\.([A-Z_]+)/g),
    reads: matchesIn(users, /createSecretReader\(.*?\.([A-Z_]+)/g),
    // Addresses that owners give are in channels, whose forms make the requests to them.
    postsOutward: [/\bcreateGuardedPost\(\{/, /(?<!function )\bhttpFormOf\(/].every((called) =>
      users.some((text) => called.test(text)),
    ),
  };
  for (const table of ['watchlist', 'snapshots'] as const) {
    const bodies = used.filter(({ store }) => store.table === table).map((m) => bodyOf(m, shared));
    access[table] = useIn(
      bodies,
      users.some((text) => /\bgatherReads\(create/.test(text)),
    );
  }
  return access;
}

const storeMaker = /export function (create(\w+Store))\(\s*\w+: (Watchlist|Snapshots)Table/;

/** Path (from the root) → source of each own module that has code left in the bundle. */
async function bundledModules(entry: string): Promise<Map<string, string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['node:*'],
    packages: 'external',
    absWorkingDir: projectRoot,
    outdir: 'out',
  });
  const [output] = Object.values(metafile.outputs);
  const kept = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  return new Map(
    kept.map(([path]) => [path, readFileSync(join(projectRoot, path), 'utf8')] as const),
  );
}

/** The file that lists and opens the stores. */
const notStores = new Set(['stores.ts', 'store-list.ts']);

function isStoreFile(path: string): boolean {
  return dirname(path) === 'shared/dynamo' && !notStores.has(basename(path));
}

/** @returns undefined for a file of shared/dynamo without a store */
function storeIn(path: string, text: string, texts: readonly string[]): Store | undefined {
  const maker = storeMaker.exec(text);
  if (!isStoreFile(path) || !maker) return undefined;
  const [, make = '', type = '', table] = maker;
  const store: Store = {
    table: table === 'Snapshots' ? 'snapshots' : 'watchlist',
    names: namesOf(make, type, texts),
    type,
    methods: [],
    inner: new Map(),
  };
  for (const part of partsOf(text, texts)) {
    for (const [name, body] of membersOf(returnedBy(part))) {
      store.methods.push({ store, name, text: body });
    }
    for (const [name, source] of [...declaredAt(2, part), ...declaredAt(0, part)]) {
      store.inner.set(name, source);
    }
  }
  return store;
}

/** A store's file and the files whose members it spreads into its own. */
function partsOf(text: string, texts: readonly string[]): string[] {
  const spread = [...returnedBy(text).matchAll(/^ {4}\.\.\.(create\w+)\(/gm)].map(
    ([, make]) => make,
  );
  const parts = texts.filter((other) =>
    spread.some((make) => other.includes(`export function ${make}(`)),
  );
  return [text, ...parts.flatMap((part) => partsOf(part, texts))];
}

/** The members of the object that a file's maker returns. */
function returnedBy(text: string): string {
  return /^ {2}return \{\n([\s\S]*?)^ {2}\};/m.exec(text)?.[1] ?? '';
}

/** Functions and constants declared at an indentation, in Biome's format: name → source. */
function declaredAt(indent: number, text: string): [string, string][] {
  const margin = ' '.repeat(indent);
  const functions = `^${margin}(?:export )?(?:async )?function (\\w+)[\\s\\S]*?^${margin}\\}$`;
  const constants = `^${margin}const (\\w+) = [\\s\\S]*?;$`;
  return [functions, constants].flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'gm'))].map(([source, name = '']): [string, string] => [
      name,
      source,
    ]),
  );
}

/** The members of an object literal at four spaces: name → source. */
function membersOf(literal: string): [string, string][] {
  const starts = [...literal.matchAll(/^ {4}(?:async )?(\w+)(?=[(:,<])/gm)];
  return starts.map(({ index, 1: name = '' }, at) => [
    name,
    literal.slice(index, starts[at + 1]?.index ?? literal.length),
  ]);
}

function namesOf(make: string, type: string, texts: readonly string[]): Set<string> {
  const made = new RegExp(`(\\w+)(?::| =)(?: \\(\\{ \\w+ \\}: \\w+\\) =>)?\\s+${make}\\(`, 'g');
  const typed = new RegExp(`(\\w+)\\??: (?:Pick<\\s*)?${type}\\b`, 'g');
  // Most texts have neither name, and the patterns are slow.
  const naming = texts.filter((text) => text.includes(make) || text.includes(type));
  return new Set(
    naming.flatMap((text) =>
      [...text.matchAll(made), ...text.matchAll(typed)].map(([, name = '']) => name),
    ),
  );
}

/** The methods that users name, and the methods of other stores that those call. */
function reachable(stores: readonly Store[], users: readonly string[]): Method[] {
  const all = stores.flatMap(({ methods }) => methods);
  const used = new Set<Method>();
  let texts = [...users];
  while (texts.length > 0) {
    const found = all.filter((method) => !used.has(method) && texts.some(namerOf(method)));
    for (const method of found) used.add(method);
    texts = found.map((method) => bodyOf(method, new Map()));
  }
  return [...used];
}

/** @returns whether a text names the method; most texts don't have its name at all. */
function namerOf({ store, name }: Method): (text: string) => boolean {
  const receivers = [...store.names].join('|');
  const forms = [
    new RegExp(`\\b(?:${receivers})\\.${name}\\b`),
    new RegExp(`Pick<\\s*${store.type},[^>]*'${name}'`),
    new RegExp(`\\{[^{}]*\\b${name}\\b[^{}]*\\} = (?:\\w+\\.)*(?:${receivers})\\b`),
  ];
  return (text) => text.includes(name) && forms.some((form) => form.test(text));
}

/** A method with all functions of its file and shared queries that it calls, directly or not. */
function bodyOf(method: Method, shared: ReadonlyMap<string, string>): string {
  const { inner, methods } = method.store;
  const included = new Set<string>();
  let body = method.text;
  for (let grown = true; grown; ) {
    const next = [
      ...inner,
      ...methods.map(({ name, text }) => [`this.${name}`, text] as const),
      ...shared,
    ].filter(
      ([name]) =>
        !included.has(name) && body.includes(name) && new RegExp(`\\b${name}\\b`).test(body),
    );
    for (const [name, text] of next) {
      included.add(name);
      body += text;
    }
    grown = next.length > 0;
  }
  return body;
}

/** Functions of shared/dynamo outside a store, such as the page of the owner index. */
function sharedQueries(modules: ReadonlyMap<string, string>): Map<string, string> {
  const files = [...modules].filter(([path, text]) => isStoreFile(path) && !storeMaker.test(text));
  return new Map(files.flatMap(([, text]) => declaredAt(0, text)));
}

/** @param gathersReads whether single reads may be sent as a batch */
function useIn(bodies: readonly string[], gathersReads: boolean): TableUse {
  const actions = new Set<string>();
  const indexes = new Set<string>();
  for (const body of bodies) {
    for (const [part, command = ''] of body.matchAll(/\.build\((\w+)\)[\s\S]*?(?=\.build\(|$)/g)) {
      const index = command === 'QueryCommand' ? /index: '(\w+)'/.exec(part)?.[1] : undefined;
      if (index !== undefined) indexes.add(index);
      else actions.add(actionOf[command] ?? `unknown ${command}`);
    }
  }
  if (gathersReads && actions.has('GetItem')) actions.add('BatchGetItem');
  return { actions: [...actions].sort(), indexes: [...indexes].sort() };
}

/** The distinct matches of a pattern's group in the texts, sorted. */
function matchesIn(texts: readonly string[], pattern: RegExp): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].sort();
}
