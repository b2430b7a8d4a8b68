// The arrows between folders, as README.md draws them: who may import whom.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesAmong, productFolders, typesExportedTwice } from './proof/structure/measures.ts';
import { isOwnModule, projectRoot as root, sourcesUnder } from './support/source-files.ts';

/** Each own import of a file that no allowed prefix covers, as "file → import". */
function strayImports(folder: string, allowed: readonly string[]): string[] {
  return sourcesUnder(folder).flatMap(({ path, imports }) =>
    imports
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

  it('a function imports shared and its own folder, never another function', () => {
    for (const name of readdirSync(join(root, 'functions'))) {
      expect(strayImports(`functions/${name}`, ['shared/', `functions/${name}/`])).toEqual([]);
    }
  });

  it('the marketplace imports only its own folder and the contract', () => {
    expect(strayImports('marketplace', ['marketplace/', 'shared/marketplace/contract'])).toEqual(
      [],
    );
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

describe('deciding code is pure', () => {
  const deciding = ['shared/rules', 'shared/polling'].flatMap(sourcesUnder);

  it.each(deciding.map((file) => [file.path, file] as const))(
    '%s reads no clock and no AWS',
    (_path, file) => {
      const impure = file.imports.filter((module) =>
        /^(@aws-sdk|@aws-lambda-powertools|@middy|hono|node:(fs|http|https|net|timers))/.test(
          module,
        ),
      );
      expect(impure).toEqual([]);
      expect(file.text).not.toMatch(
        /Date\.now\(|new Date\(\)|performance\.now\(|process\.|Math\.random\(/,
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
