/** The disk usage of a folder. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @returns bytes of all files below it; a file deleted meanwhile counts 0 */
export function folderBytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => {
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (file?.isFile() ? file.size : 0);
  }, 0);
}
