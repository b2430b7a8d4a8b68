/**
 * Bundles the code of one function: ESM, minified, with the AWS SDK, so that the tested SDK version runs.
 * Calls esbuild in this process: CDK's own NodejsFunction starts npx for each function, half a second each.
 */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const nodeHttp = fileURLToPath(new URL('./node-http.mjs', import.meta.url));
const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Packages with a file that is no code; a function that uses one gets the whole package. */
const wholePackages = ['@resvg/resvg-wasm'];
/**
 * Writes `index.mjs` and chunks with the code that is imported when it is needed, so that a start does not read it:
 * parts of the API, and the AWS SDK's ways to credentials that a function never goes. Chunks are beside the entry,
 * because code may read files by the place of its own module.
 * @param entry absolute path of the file that exports `handler`.
 * @returns the packages that the code imports from outside of the bundle.
 */
export function bundleCode(outdir: string, entry: string): string[] {
  const { metafile } = buildSync({
    ...{ absWorkingDir: projectRoot, entryPoints: { index: entry }, outdir },
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, splitting: true, minify: true },
    ...{ platform: 'node', target: 'node24', format: 'esm' },
    ...{ sourcemap: true, sourcesContent: false, metafile: true },
    mainFields: ['module', 'main'],
    alias: { 'node:http': nodeHttp },
    external: wholePackages,
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  return wholePackages.filter((name) => imported.some(({ path }) => path === name));
}
