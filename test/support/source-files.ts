// Reads the project's TypeScript files with their imports and exports, as text: for tests and programs
// that check the structure. Runs none of them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const ownFolders = ['console', 'functions', 'infra', 'marketplace', 'shared', 'test'];

export interface SourceFile {
  /** Relative to the checkout's folder. */
  path: string;
  text: string;
  /** For own modules, paths relative to the checkout's folder; for others, package names; types included. */
  imports: string[];
  /** The same without what `import type` and `export type` name, which is gone at run time. */
  valueImports: string[];
}

/** Every TypeScript file below a folder of the checkout; declaration files are left out. */
export function sourcesUnder(folder: string): SourceFile[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(projectRoot, path), 'utf8');
      const values = text.replace(/^(?:import|export) type \{[^}]*\} from '[^']+';/gm, '');
      return { path, text, imports: importsOf(path, text), valueImports: importsOf(path, values) };
    });
}

/** Every style sheet below a folder of the checkout. */
export function stylesUnder(folder: string): Pick<SourceFile, 'path' | 'text'>[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

/** Whether an import names a file of this project. */
export function isOwnModule(module: string): boolean {
  return ownFolders.includes(module.split('/')[0] ?? '');
}

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, found = '']) => found,
  );
  return specifiers.map((specifier) => {
    if (specifier.startsWith('#')) return specifier.slice(1);
    if (specifier.startsWith('.')) {
      return relative(projectRoot, resolve(projectRoot, dirname(path), specifier));
    }
    return specifier;
  });
}
