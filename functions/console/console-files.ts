// The files of the desk, as the build wrote them beside the function's code.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface ConsoleFile {
  type: string;
  plain: Buffer;
  /** Compressed with brotli. */
  compressed: Buffer;
}

export interface ConsoleFiles {
  /** The page that every address of the desk answers with. */
  page: ConsoleFile;
  /** By name. A name has a hash of its content, so a file never changes. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Reads all files of a folder: `index.html`, `assets/` with the others, and beside each its brotli form, `.br`. */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => !name.endsWith('.br'));
  return {
    page: readFile(join(folder, 'index.html')),
    assets: new Map(names.map((name) => [name, readFile(join(assets, name))])),
  };
}

function readFile(path: string): ConsoleFile {
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    plain: readFileSync(path),
    compressed: readFileSync(`${path}.br`),
  };
}
