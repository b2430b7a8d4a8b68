/**
 * The asset of one function: its code, and beside it the files that the code reads when it runs, in the same places
 * as beside the sources.
 */
import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type AssetCode, Code } from 'aws-cdk-lib/aws-lambda';
import { bundleCode } from './bundle-code.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

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
          const packages = bundleCode(outputFolder, entry);
          for (const name of packages) copyPackage(name, outputFolder);
          copyFiles(entry, outputFolder);
          makeFiles?.(join(outputFolder, filesFolder));
          return true;
        },
      },
    },
  });
}

function copyPackage(name: string, outputFolder: string): void {
  const place = join('node_modules', name);
  cpSync(join(projectRoot, place), join(outputFolder, place), { recursive: true });
}

function copyFiles(entry: string, outputFolder: string): void {
  const files = join(dirname(entry), filesFolder);
  if (existsSync(files)) cpSync(files, join(outputFolder, filesFolder), { recursive: true });
}
