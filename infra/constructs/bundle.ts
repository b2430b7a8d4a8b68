/**
 * Bundles the code of one function: ESM, minified, with the AWS SDK, so that the tested SDK version runs.
 * Calls esbuild in this process: CDK's own NodejsFunction starts npx for each function, half a second each.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const nodeHttp = fileURLToPath(new URL('./node-http.cjs', import.meta.url));
const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** @param entry absolute path of the file that exports `handler`; the only entry of its folder. */
export function bundleOf(entry: string): AssetCode {
  return Code.fromAsset(dirname(entry), {
    // The hash of what is deployed, so that an unchanged function is not deployed again.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used, because the local bundling below always succeeds or throws.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle(outputFolder) {
          bundleInto(join(outputFolder, 'index.mjs'), entry);
          return true;
        },
      },
    },
  });
}

function bundleInto(outfile: string, entry: string): void {
  buildSync({
    ...{ absWorkingDir: projectRoot, entryPoints: [entry], outfile },
    ...{ bundle: true, minify: true, platform: 'node', target: 'node24', format: 'esm' },
    ...{ sourcemap: true, sourcesContent: false },
    mainFields: ['module', 'main'],
    alias: { 'node:http': nodeHttp },
  });
}
