import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import {
  aFunction,
  type TemporaryFolder,
  temporaryFolder,
  writeAssembly,
} from '../../support/fixture-assembly.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  writeAssembly(folder.path, {
    resources: { Fn: aFunction('code') },
    bundles: { code: 'export const handler = () => 1;' },
  });
});
afterEach(() => folder.remove());

describe('a cloud assembly', () => {
  it('gives its stack, its template and the paths of its assets', () => {
    const { stackName, template, assetPaths } = readCloudAssembly(folder.path);
    expect(stackName).toBe('Test');
    expect(Object.keys(template.Resources)).toEqual(['Fn']);
    expect(assetPaths.get('code.zip')).toBe(join(folder.path, 'asset.code'));
  });

  it.each([
    ['is missing', 'manifest.json', undefined, /manifest.json is missing/],
    ['is not JSON', 'Test.template.json', '{"Resources":', /Test.template.json is not JSON/],
    [
      'has another shape',
      'Test.template.json',
      '{"Resources":{"A":{}}}',
      /Test.template.json is broken at Resources.A.Type/,
    ],
    ['names no stack', 'manifest.json', '{"artifacts":{}}', /holds 0 stacks/],
  ])('names the file that %s', (_, file, content, message) => {
    if (content === undefined) rmSync(join(folder.path, file));
    else writeFileSync(join(folder.path, file), content);
    expect(() => readCloudAssembly(folder.path)).toThrow(message);
  });
});
