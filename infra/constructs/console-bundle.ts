/**
 * Builds the desk: its scripts and styles with a hash in each name, the page that names them, and a brotli form
 * of each file.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildSync } from 'esbuild';

const sources = fileURLToPath(new URL('../../console/', import.meta.url));
const bestBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** Writes `index.html`, `assets/` and their brotli forms into a folder. */
export function buildConsole(outputFolder: string): void {
  const assets = join(outputFolder, 'assets');
  mkdirSync(assets, { recursive: true });
  const named = bundleInto(assets);
  const page = readFileSync(join(sources, 'index.html'), 'utf8');
  writeFileSync(
    join(outputFolder, 'index.html'),
    page.replaceAll(/\{\{(\w+\.\w+)\}\}/g, (_, name: string) => named(name)),
  );
  for (const path of [join(outputFolder, 'index.html'), ...pathsIn(assets)]) {
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), bestBrotli));
  }
}

/** @returns a function from a name without its hash, such as `main.js`, to the address of the file */
function bundleInto(outdir: string): (name: string) => string {
  buildSync({
    ...{ absWorkingDir: sources, entryPoints: ['main.tsx', 'mark.svg'], outdir },
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', target: 'es2022' },
    ...{ jsxFactory: 'makeElement', jsxFragment: 'makeFragment', inject: ['./elements.ts'] },
    // Not the automatic runtime of the tsconfig.json, which the compiler checks with.
    ...{ tsconfigRaw: { compilerOptions: {} }, legalComments: 'none' },
    ...{ entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', loader: { '.svg': 'copy' } },
    logLevel: 'error',
  });
  const files = readdirSync(outdir);
  return (name) => {
    const [stem, ending] = name.split('.');
    const file = files.find((each) => new RegExp(`^${stem}-[A-Z0-9]{8}\\.${ending}$`).test(each));
    if (file === undefined) throw new Error(`The build of the desk made no ${name}`);
    return `/console/assets/${file}`;
  };
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
