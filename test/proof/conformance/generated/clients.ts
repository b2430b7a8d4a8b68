/**
 * Clients that generators write from the documents of the marketplace and of the watchlist API: each is
 * generated, built, and run against the running program. If a generator or language is missing, the output says
 * "skipped".
 */

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, installPython, run } from '../programs.ts';
import { jar, jarFolder, type Language, languages, type Step } from './languages.ts';
import type { Subject } from './subjects.ts';

const generatorVersion = '7.25.0';
const pythonClientVersion = '0.29.1';
const work = join(cache, 'generated');
const environment = join(cache, 'generators');
/** For one step; the first build in Go fetches its modules. */
const stepMs = 300_000;

/** @returns the number of clients that could not be generated, built or run. */
export async function driveGeneratedClients(subjects: readonly Subject[]): Promise<number> {
  await rm(work, { recursive: true, force: true });
  const present = await presentLanguages();
  let failed = 0;
  for (const subject of subjects) {
    for (const language of present) failed += (await driveOne(subject, language)) ? 0 : 1;
  }
  return failed;
}

/** The languages whose tools are here; the output names the others. */
async function presentLanguages(): Promise<Language[]> {
  const tools = {
    generator: await hasGenerator(),
    go: await hasTool('go', ['version']),
    python: await installPython({
      subject: 'generated Python clients',
      environment,
      args: [
        `openapi-python-client==${pythonClientVersion}`,
        ...['urllib3', 'python-dateutil', 'pydantic', 'typing-extensions'],
      ],
    }),
  };
  return languages.filter(({ needs }) => needs.every((tool) => tools[tool]));
}

async function hasTool(command: string, args: string[]): Promise<boolean> {
  const found = await run(command, args, { timeoutMs: stepMs });
  if (found.code !== 0) console.log(`conformance: generated clients skipped, no ${command}`);
  return found.code === 0;
}

/** Fetches the generator's jar by its coordinates, from the configured Maven repository. */
async function hasGenerator(): Promise<boolean> {
  if (!(await hasTool('java', ['-version']))) return false;
  const file = jar(generatorVersion);
  if (existsSync(file)) return true;
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`;
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`];
  const copied = await run('mvn', [...args, `-DoutputDirectory=${jarFolder}`], {
    timeoutMs: stepMs,
  });
  if (copied.code === 0 && existsSync(file)) return true;
  console.log('conformance: openapi-generator skipped, no Maven or no repository');
  return false;
}

/** Starts the subject for one client, so that all clients find the same. */
async function driveOne(subject: Subject, language: Language): Promise<boolean> {
  const called = await subject.start();
  try {
    const folder = join(work, subject.name);
    await mkdir(folder, { recursive: true });
    const document = await fetch(`${called.url}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await document.text());
    const drivers = join(import.meta.dirname, subject.name);
    const steps = await language.steps({
      ...{ folder, drivers, environment, called },
      packageName: subject.packageName,
      jar: jar(generatorVersion),
    });
    return await runSteps(`${subject.name}, ${language.name}`, steps);
  } finally {
    await called.stop();
  }
}

/** Stops at the first step that fails, and prints its output. The last step is the driver. */
async function runSteps(name: string, steps: readonly Step[]): Promise<boolean> {
  for (const [index, { command, args, ...where }] of steps.entries()) {
    const show = index === steps.length - 1;
    const { code, output } = await run(command, args, { timeoutMs: stepMs, show, ...where });
    if (code === 0) continue;
    console.log(`failed: the generated client of ${name}, at: ${command} ${args.join(' ')}`);
    if (!show) console.log(output.slice(-2000));
    return false;
  }
  return true;
}
