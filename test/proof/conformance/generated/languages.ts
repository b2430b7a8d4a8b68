/** How a client is generated, built and run in each language. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, root } from '../programs.ts';

export const jarFolder = join(cache, 'openapi-generator');

export function jar(version: string): string {
  return join(jarFolder, `openapi-generator-cli-${version}.jar`);
}

/** One program to run. */
export interface Step {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
}

/** One client of one subject. */
export interface ClientFacts {
  /** Has openapi.json, and gets the client. */
  folder: string;
  /** Has the subject's drivers. */
  drivers: string;
  packageName: string;
  /** The generator's jar. */
  jar: string;
  /** Python's virtual environment. */
  environment: string;
  called: { url: string; key: string };
}

export interface Language {
  name: string;
  needs: readonly ('generator' | 'go' | 'python')[];
  /** Steps from the document to the driver, which is the last. */
  steps(facts: ClientFacts): Promise<Step[]>;
}

/** Every generator and language; with the generators' default options where Go's modules allow it. */
export const languages: readonly Language[] = [
  { name: 'go', needs: ['generator', 'go'], steps: stepsOfGo },
  { name: 'typescript', needs: ['generator'], steps: stepsOfTypeScript },
  { name: 'python', needs: ['generator', 'python'], steps: stepsOfPython },
  { name: 'openapi-python-client', needs: ['python'], steps: stepsOfPythonClient },
];

function generate(
  facts: ClientFacts,
  o: { generator: string; into: string; properties?: string },
): Step {
  const { jar: file, packageName, folder } = facts;
  const args = ['-jar', file, 'generate', '-g', o.generator, '-i', 'openapi.json', '-o', o.into];
  const more = o.properties === undefined ? [] : [`--additional-properties=${o.properties}`];
  return {
    command: 'java',
    args: [...args, '--package-name', packageName, ...more],
    cwd: folder,
  };
}

async function stepsOfGo(facts: ClientFacts): Promise<Step[]> {
  const { folder, drivers, packageName, called } = facts;
  const cwd = join(folder, 'go');
  await mkdir(cwd);
  await copyFile(join(drivers, 'go/main.go'), join(cwd, 'main.go'));
  const properties = 'isGoSubmodule=false,withGoMod=false,generateInterfaces=false';
  return [
    generate(facts, { generator: 'go', into: `go/${packageName}`, properties }),
    { command: 'rm', args: ['-rf', `${packageName}/test`], cwd },
    { command: 'go', args: ['mod', 'init', 'generated'], cwd },
    { command: 'go', args: ['mod', 'tidy'], cwd },
    { command: 'go', args: ['build', '-o', 'driver', '.'], cwd },
    { command: './driver', args: [called.url, called.key], cwd },
  ];
}

async function stepsOfTypeScript(facts: ClientFacts): Promise<Step[]> {
  const { folder, drivers, called } = facts;
  const cwd = join(folder, 'typescript');
  await mkdir(cwd);
  await copyFile(join(drivers, 'drive.mjs'), join(cwd, 'drive.mjs'));
  await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: [] },
    ...{ outDir: 'dist', strict: true },
  };
  await writeFile(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts'] }),
  );
  const properties = 'importFileExtension=.js';
  return [
    generate(facts, { generator: 'typescript-fetch', into: 'typescript', properties }),
    { command: join(root, 'node_modules/.bin/tsc'), args: ['-p', '.'], cwd },
    { command: process.execPath, args: ['drive.mjs', called.url, called.key], cwd },
  ];
}

async function stepsOfPython(facts: ClientFacts): Promise<Step[]> {
  const client = join(facts.folder, 'python');
  return [
    generate(facts, { generator: 'python', into: 'python' }),
    pythonDriver(facts, { script: 'drive_generator.py', client }),
  ];
}

async function stepsOfPythonClient(facts: ClientFacts): Promise<Step[]> {
  const { folder, packageName, environment } = facts;
  const bin = join(environment, 'bin');
  const client = join(folder, 'openapi-python-client');
  const args = ['generate', '--path', 'openapi.json', '--output-path', join(client, packageName)];
  return [
    {
      command: join(bin, 'openapi-python-client'),
      args: [...args, '--meta', 'none'],
      cwd: folder,
      // It formats its output with ruff, which is installed beside it.
      env: { PATH: `${bin}:${process.env.PATH ?? ''}` },
    },
    pythonDriver(facts, { script: 'drive_openapi_python_client.py', client }),
  ];
}

/** tally.py is beside the subjects' folders. */
function pythonDriver(
  { drivers, environment, called }: ClientFacts,
  { script, client }: { script: string; client: string },
): Step {
  return {
    command: join(environment, 'bin/python'),
    args: ['-B', join(drivers, script), called.url, called.key],
    env: { PYTHONPATH: `${client}:${import.meta.dirname}` },
  };
}
