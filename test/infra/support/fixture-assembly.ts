/** Writes a small cloud assembly by hand, in the layout of `cdk synth`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FixtureAssembly {
  resources: Record<string, object>;
  /** Asset name → the source of its index.mjs. */
  bundles?: Record<string, string>;
  parameters?: Record<string, object>;
  conditions?: Record<string, object>;
  outputs?: Record<string, object>;
}

export function writeAssembly(folder: string, assembly: FixtureAssembly): string {
  const { resources, bundles = {}, parameters = {}, conditions = {}, outputs = {} } = assembly;
  mkdirSync(folder, { recursive: true });
  const files: Record<string, object> = {};
  for (const [name, source] of Object.entries(bundles)) {
    mkdirSync(join(folder, `asset.${name}`), { recursive: true });
    writeFileSync(join(folder, `asset.${name}`, 'index.mjs'), source);
    files[name] = {
      source: { path: `asset.${name}`, packaging: 'zip' },
      destinations: { here: { bucketName: 'assets', objectKey: `${name}.zip` } },
    };
  }
  const json: Record<string, object> = {
    'manifest.json': {
      version: '55.0.0',
      artifacts: {
        'Test.assets': { type: 'cdk:asset-manifest', properties: { file: 'Test.assets.json' } },
        Test: {
          type: 'aws:cloudformation:stack',
          properties: { templateFile: 'Test.template.json' },
        },
      },
    },
    'Test.assets.json': { version: '55.0.0', files },
    'Test.template.json': {
      Resources: resources,
      Parameters: parameters,
      Conditions: conditions,
      Outputs: outputs,
    },
  };
  for (const [name, content] of Object.entries(json)) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

/** A function resource on one of the bundles. */
export function aFunction(bundle: string, properties: object = {}): object {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: 'assets', S3Key: `${bundle}.zip` },
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Timeout: 5,
      MemorySize: 128,
      ...properties,
    },
  };
}

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'getin-infra-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
