/**
 * Bundles the code of one function: ESM, minified, with the AWS SDK, so that the tested SDK version runs. Beside
 * it are the files that the code reads when it runs, in the same places as beside the sources.
 * Calls esbuild in this process: CDK's own NodejsFunction starts npx for each function, half a second each.
 */
import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const nodeHttp = fileURLToPath(new URL('./node-http.cjs', import.meta.url));
const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Packages with a file that is no code; a function that uses one gets the whole package. */
const wholePackages = ['@resvg/resvg-wasm'];
/** The folder of a function's own files. */
const filesFolder = 'files';

/**
 * @param entry absolute path of the file that exports `handler`; the only entry of its folder.
 * @param makeFiles writes the files that the code reads, if they are built and not in the repository.
 */
export function bundleOf(entry: string, makeFiles?: (folder: string) => void): AssetCode {
  return Code.fromAsset(dirname(entry), {
    // The hash of what is deployed, so that an unchanged function is not deployed again.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used, because the local bundling below always succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle(outputFolder) {
          const packages = bundleInto(join(outputFolder, 'index.mjs'), entry);
          for (const name of packages) copyPackage(name, outputFolder);
          copyFiles(entry, outputFolder);
          makeFiles?.(join(outputFolder, filesFolder));
          return true;
        },
      },
    },
  });
}

/** @returns the packages that the code imports from outside of the bundle. */
function bundleInto(outfile: string, entry: string): string[] {
  const { metafile } = buildSync({
    ...{ absWorkingDir: projectRoot, entryPoints: [entry], outfile },
    ...{ bundle: true, minify: true, platform: 'node', target: 'node24', format: 'esm' },
    ...{ sourcemap: true, sourcesContent: false, metafile: true },
    mainFields: ['module', 'main'],
    alias: { 'node:http': nodeHttp },
    external: wholePackages,
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  return wholePackages.filter((name) => imported.some(({ path }) => path === name));
}

function copyPackage(name: string, outputFolder: string): void {
  const place = join('node_modules', name);
  cpSync(join(projectRoot, place), join(outputFolder, place), { recursive: true });
}

function copyFiles(entry: string, outputFolder: string): void {
  const files = join(dirname(entry), filesFolder);
  if (existsSync(files)) cpSync(files, join(outputFolder, filesFolder), { recursive: true });
}
