// The Chromium that tests start: npm brings it and its fonts packed, so nothing needs to be installed by hand.
// Unpacks it once for all test files and runs, into `node_modules/.cache`, and starts no browser.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './source-files.ts';

const packageFolder = join(projectRoot, 'node_modules/@sparticuz/chromium');
const cacheFolder = join(projectRoot, 'node_modules/.cache');
/** Where Debian and Ubuntu install theirs; used on processors that the package has no program for. */
const installed = '/usr/bin/chromium';

/** A program, and the environment that it needs besides the present one. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** @throws Error on a processor other than x64 without an installed Chromium */
export async function findChromium(): Promise<Chromium> {
  if (process.arch === 'x64') return unpacked();
  if (existsSync(installed)) return { executablePath: installed, env: {} };
  throw new Error(
    `@sparticuz/chromium has no Chromium for ${process.arch}. Install one as ${installed}.`,
  );
}

async function unpacked(): Promise<Chromium> {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(cacheFolder, `chromium-${version}-with-signs`);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      // The few system libraries that a bare machine lacks, as Amazon Linux 2023 builds them.
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

/** Two test files may unpack at once: each into a folder of its own, and the first one to finish stays. */
async function unpack(folder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  const staging = mkdtempSync(`${folder}-`);
  try {
    await unpackInto(staging);
    writeFileSync(join(staging, 'fonts/signs.ttf'), await fontOfSigns());
    writeFileSync(join(staging, 'fonts.conf'), fontSettings(folder));
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The package unpacks into the temporary folder, with the libraries only if it thinks to be in a Lambda. */
async function unpackInto(folder: string): Promise<void> {
  const program =
    "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: projectRoot,
    env: { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
}

/** Signs in our messages that the package's font lacks. */
const signs = '▲▼▁▂▃▄▅▆▇█';

/** As TrueType, because the browser reads no web font from a folder. */
async function fontOfSigns(): Promise<Buffer> {
  const { default: subsetFont } = await import('subset-font');
  const { resolve } = createRequire(import.meta.url);
  const font = '@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff2';
  return subsetFont(readFileSync(resolve(font)), signs, { targetFormat: 'sfnt' });
}

/** The package's font, and that of the signs; none of the machine's, so that pictures are the same everywhere. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="same"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
}
