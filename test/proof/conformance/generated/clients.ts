/**
 * Clients that generators write from the marketplace's document: each is generated, built, and run
 * against a running marketplace. If a generator or language is missing, the output says "skipped".
 */

import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, installPython, root, run } from '../programs.ts';

const generatorVersion = '7.25.0';
const pythonClientVersion = '0.29.1';
const jarFolder = join(cache, 'openapi-generator');
const jar = join(jarFolder, `openapi-generator-cli-${generatorVersion}.jar`);
const work = join(cache, 'generated');
const drivers = import.meta.dirname;
const environment = join(cache, 'generators');
const stepMs = 120_000;

/** The marketplace to call. */
export interface Called {
  url: string;
  key: string;
}

interface Step {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
}

/** @returns the number of clients that could not be generated, built or run. */
export async function driveGeneratedClients(called: Called): Promise<number> {
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const document = await fetch(`${called.url}/openapi.json`);
  await writeFile(join(work, 'openapi.json'), await document.text());
  const hasPython = await installPython({
    subject: 'generated Python clients',
    environment,
    args: [
      `openapi-python-client==${pythonClientVersion}`,
      ...['urllib3', 'python-dateutil', 'pydantic', 'typing-extensions'],
    ],
  });
  let failed = 0;
  const drive = async (name: string, steps: Step[]) => {
    failed += (await runSteps(name, steps)) ? 0 : 1;
  };
  if (await hasGenerator()) {
    if (await hasTool('go', ['version'])) await drive('go', await stepsOfGo(called));
    await drive('typescript', await stepsOfTypeScript(called));
    if (hasPython) await drive('python', stepsOfPython(called));
  }
  if (hasPython) await drive('openapi-python-client', stepsOfPythonClient(called));
  return failed;
}

async function hasTool(command: string, args: string[]): Promise<boolean> {
  const found = await run(command, args, { timeoutMs: stepMs });
  if (found.code !== 0) console.log(`conformance: generated clients skipped, no ${command}`);
  return found.code === 0;
}

/** Fetches the generator's jar by its coordinates, from the configured Maven repository. */
async function hasGenerator(): Promise<boolean> {
  if (!(await hasTool('java', ['-version']))) return false;
  if (existsSync(jar)) return true;
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`;
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`];
  const copied = await run('mvn', [...args, `-DoutputDirectory=${jarFolder}`], {
    timeoutMs: stepMs,
  });
  if (copied.code === 0 && existsSync(jar)) return true;
  console.log('conformance: openapi-generator skipped, no Maven or no repository');
  return false;
}

/** Stops at the first step that fails, and prints its output. The last step is the driver. */
async function runSteps(name: string, steps: Step[]): Promise<boolean> {
  for (const [index, { command, args, ...where }] of steps.entries()) {
    const show = index === steps.length - 1;
    const { code, output } = await run(command, args, { timeoutMs: stepMs, show, ...where });
    if (code === 0) continue;
    console.log(`failed: the generated client for ${name}, at: ${command} ${args.join(' ')}`);
    if (!show) console.log(output.slice(-2000));
    return false;
  }
  return true;
}

function generate(generator: string, folder: string, properties = ''): Step {
  const args = ['-jar', jar, 'generate', '-g', generator, '-i', 'openapi.json', '-o', folder];
  const more = properties === '' ? [] : [`--additional-properties=${properties}`];
  return { command: 'java', args: [...args, '--package-name', 'market', ...more], cwd: work };
}

async function stepsOfGo({ url, key }: Called): Promise<Step[]> {
  const cwd = join(work, 'go');
  await mkdir(cwd);
  await copyFile(join(drivers, 'go/main.go'), join(cwd, 'main.go'));
  return [
    generate('go', 'go/market', 'isGoSubmodule=false,withGoMod=false,generateInterfaces=false'),
    { command: 'rm', args: ['-rf', 'market/test'], cwd },
    { command: 'go', args: ['mod', 'init', 'generated'], cwd },
    { command: 'go', args: ['mod', 'tidy'], cwd },
    { command: 'go', args: ['build', '-o', 'driver', '.'], cwd },
    { command: './driver', args: [url, key], cwd },
  ];
}

async function stepsOfTypeScript({ url, key }: Called): Promise<Step[]> {
  const cwd = join(work, 'typescript');
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
  return [
    generate('typescript-fetch', 'typescript', 'importFileExtension=.js'),
    { command: join(root, 'node_modules/.bin/tsc'), args: ['-p', '.'], cwd },
    { command: process.execPath, args: ['drive.mjs', url, key], cwd },
  ];
}

function stepsOfPython({ url, key }: Called): Step[] {
  const args = ['-B', join(drivers, 'drive_generator.py'), url, key];
  const env = { PYTHONPATH: join(work, 'python') };
  return [generate('python', 'python'), { command: join(environment, 'bin/python'), args, env }];
}

function stepsOfPythonClient({ url, key }: Called): Step[] {
  const bin = join(environment, 'bin');
  const folder = join(work, 'openapi-python-client');
  const args = ['generate', '--path', 'openapi.json', '--output-path', join(folder, 'market')];
  return [
    {
      command: join(bin, 'openapi-python-client'),
      args: [...args, '--meta', 'none'],
      cwd: work,
      // It formats its output with ruff, which is installed beside it.
      env: { PATH: `${bin}:${process.env.PATH ?? ''}` },
    },
    {
      command: join(bin, 'python'),
      args: ['-B', join(drivers, 'drive_openapi_python_client.py'), url, key],
      env: { PYTHONPATH: folder },
    },
  ];
}
