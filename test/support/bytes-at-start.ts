// The size of the code that a function's start reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of a bundled file and of those that it imports at once. */
export function bytesAtStart(file: string, read: Set<string> = new Set()): number {
  if (read.has(file)) return 0;
  read.add(file);
  const code = readFileSync(file, 'utf8');
  const imported = code.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
  const others = [...imported].map(([, path = '']) => bytesAtStart(join(file, '..', path), read));
  return others.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(code));
}
