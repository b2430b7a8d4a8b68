// The arrows between folders, as README.md draws them: who may import whom.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesAmong, productFolders, typesExportedTwice } from './proof/structure/measures.ts';
import { isOwnModule, projectRoot as root, sourcesUnder } from './support/source-files.ts';

/**
 * Each own import of a file that no allowed prefix covers, as "file → import".
 * @param which `values` leaves out what is imported by `import type` only.
 */
function strayImports(
  folder: string,
  allowed: readonly string[],
  which: 'all' | 'values' = 'all',
): string[] {
  return sourcesUnder(folder).flatMap(({ path, imports, valueImports }) =>
    (which === 'all' ? imports : valueImports)
      .filter(
        (module) => isOwnModule(module) && !allowed.some((prefix) => module.startsWith(prefix)),
      )
      .map((module) => `${path} → ${module}`),
  );
}

describe('arrows point one way', () => {
  it('shared imports only shared', () => {
    expect(strayImports('shared', ['shared/'])).toEqual([]);
  });

  it('a function imports shared and its own folder; only jobs imports another one, the API', () => {
    // A job does what the API does, only for longer: its rows are checked and carried out by the same code.
    const also: Record<string, string[]> = { jobs: ['functions/api/'] };
    for (const name of readdirSync(join(root, 'functions'))) {
      const allowed = ['shared/', `functions/${name}/`, ...(also[name] ?? [])];
      expect(strayImports(`functions/${name}`, allowed)).toEqual([]);
    }
  });

  it('the marketplace imports only its own folder and the contract', () => {
    expect(strayImports('marketplace', ['marketplace/', 'shared/marketplace/contract'])).toEqual(
      [],
    );
  });

  it('the desk imports nothing of the API but the types of its answers', () => {
    expect(strayImports('console', ['console/'], 'values')).toEqual([]);
    expect(strayImports('console', ['console/', 'functions/api/'])).toEqual([]);
  });

  it('infra names functions by path and imports none; only the local run knows the marketplace', () => {
    expect(strayImports('infra', ['infra/', 'marketplace/', 'shared/'])).toEqual([]);
    const stack = sourcesUnder('infra').filter(({ path }) => !path.startsWith('infra/local'));
    expect(
      stack.flatMap(({ imports }) => imports.filter((m) => m.startsWith('marketplace/'))),
    ).toEqual([]);
  });
});

describe('the product as a whole', () => {
  const product = productFolders.flatMap(sourcesUnder);

  it('has no circle of imports, types included', () => {
    expect(circlesAmong(product)).toEqual([]);
  });

  it('exports each type name once', () => {
    expect(typesExportedTwice(product)).toEqual([]);
  });

  it('knows dynamodb-toolbox in shared/dynamo only', () => {
    const knowing = product.filter(({ imports }) =>
      imports.some((module) => module.startsWith('dynamodb-toolbox')),
    );
    expect(
      knowing.map(({ path }) => path).filter((path) => !path.startsWith('shared/dynamo/')),
    ).toEqual([]);
  });
});

/** What each folder of shared may import besides its own files and what is `everywhere` below. */
const arrowsOf: Record<string, { values: string[]; types: string[] }> = {
  // A snapshot is made of an answer of the marketplace.
  rules: { values: [], types: ['shared/polling/', 'shared/marketplace/'] },
  backtest: { values: ['shared/rules/', 'shared/watchlist/'], types: [] },
  polling: {
    values: [
      // Whether the price is near a listing rule (arming.ts).
      'shared/rules/language/listing-filter.ts',
      // A failed poll is told by the client's error classes (failure.ts).
      'shared/marketplace/errors.ts',
    ],
    types: ['shared/rules/', 'shared/watchlist/set-aside.ts'],
  },
  watchlist: {
    values: ['shared/rules/'],
    // settle-watch.ts takes parts of four stores.
    types: ['shared/marketplace/reading/', 'shared/dynamo/'],
  },
  // An alert keeps the values of its chart.
  alerts: { values: ['shared/watchlist/', 'shared/rules/'], types: ['shared/charts/'] },
  delivery: {
    values: ['shared/alerts/', 'shared/watchlist/', 'shared/charts/', 'shared/rules/'],
    // The steps of a delivery take parts of the stores, and the function that sends to a queue.
    types: ['shared/dynamo/', 'shared/lambda/queue-sender.ts'],
  },
  charts: { values: [], types: ['shared/rules/', 'shared/polling/'] },
  marketplace: { values: [], types: [] },
};

describe('the arrows in shared', () => {
  // Reporting a fault, the durations that agree with the stack's, and the names of the feed kinds.
  const everywhere = [
    ...['shared/fault-report.ts', 'shared/moment.ts', 'shared/timing.ts'],
    'shared/polling/feed-kinds.ts',
  ];
  const folders = Object.entries(arrowsOf).filter(([name]) =>
    existsSync(join(root, 'shared', name)),
  );

  it.each(folders)('%s imports what it may', (name, { values, types }) => {
    const own = [`shared/${name}/`, ...everywhere];
    expect(strayImports(`shared/${name}`, [...own, ...values], 'values')).toEqual([]);
    expect(strayImports(`shared/${name}`, [...own, ...values, ...types])).toEqual([]);
  });

  it('dynamo imports nothing of lambda', () => {
    const fromLambda = sourcesUnder('shared/dynamo').filter(({ imports }) =>
      imports.some((module) => module.startsWith('shared/lambda/')),
    );
    expect(fromLambda.map(({ path }) => path)).toEqual([]);
  });
});

const machinery =
  /^(@aws-sdk|@aws-lambda-powertools|@middy|hono|dynamodb-toolbox|node:(child_process|dns|fs|http|https|net|process|timers|tls|worker_threads)|undici)/;

describe('deciding code is pure', () => {
  const folders = ['rules', 'backtest', 'polling', 'watchlist', 'alerts', 'charts']
    .map((name) => `shared/${name}`)
    .filter((folder) => existsSync(join(root, folder)));
  const deciding = folders.flatMap(sourcesUnder);

  it.each(deciding.map((file) => [file.path, file] as const))(
    '%s reads no clock and no AWS',
    (_path, file) => {
      expect(file.imports.filter((module) => machinery.test(module))).toEqual([]);
      expect(file.text).not.toMatch(
        /Date\.now\(|new Date\(\)|performance\.now\(|\bprocess\.\w|Math\.random\(/,
      );
    },
  );
});

describe("the README's folder table", () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `([a-z/-]+)\/` +\|/gm)].map(([, folder = '']) => folder);

  it('names folders that are there', () => {
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  it('leaves out no folder of shared', () => {
    const shared = readdirSync(join(root, 'shared'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `shared/${name}`);
    expect(shared.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});
