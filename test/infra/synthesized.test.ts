import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { assemblyLimitMs, assemblyOfRun } from '#test/support/assembly-of-run.ts';
import { bytesAtStart } from '#test/support/bytes-at-start.ts';
import { bundleEnvironment } from './support/bundle-environment.ts';
import { type Command, runCommandFile } from './support/command.ts';
import { type TemporaryFolder, temporaryFolder } from './support/fixture-assembly.ts';

const run = promisify(execFile);

let folder: TemporaryFolder;
let assembly: string;
let command: Command | undefined;

beforeAll(async () => {
  folder = temporaryFolder();
  assembly = await assemblyOfRun();
}, assemblyLimitMs);
afterEach(() => {
  command?.kill();
  command = undefined;
});
afterAll(() => folder.remove());

describe('the bundle of each function', () => {
  /** In a folder without node_modules above it: the handler's file, and all files of code. */
  function isolate(): { name: string; file: string; code: string[] }[] {
    const { template, assetPaths } = readCloudAssembly(assembly);
    return Object.values(template.Resources).flatMap(({ Type, Properties = {} }) => {
      if (Type !== 'AWS::Lambda::Function') return [];
      const { S3Key } = Properties.Code as { S3Key: string };
      const name = (Properties.Environment as { Variables: Record<string, string> }).Variables
        .POWERTOOLS_SERVICE_NAME;
      const place = join(folder.path, 'isolated', String(name));
      cpSync(assetPaths.get(S3Key) ?? '', place, { recursive: true });
      const code = readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.mjs') && !path.includes('node_modules'))
        .map((path) => join(place, path));
      return [{ name: String(name), file: join(place, 'index.mjs'), code }];
    });
  }

  it('loads in a clean process without node_modules, and exports a handler', async () => {
    const bundles = isolate();
    expect(bundles.map(({ name }) => name).sort()).toEqual([
      'getin-api',
      'getin-chart',
      'getin-console',
      'getin-dispatch',
      'getin-evaluate',
      'getin-jobs',
      'getin-mail-feedback',
      'getin-poll',
      'getin-reconcile',
      'getin-send-email',
      'getin-send-webhook',
    ]);
    for (const { name, file, code } of bundles) {
      const script = `const { handler } = await import(${JSON.stringify(file)});
        for (const file of ${JSON.stringify(code)}) await import(file);
        console.log(typeof handler);`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: folder.path,
        env: environmentOf(name),
      });
      expect([name, stdout.trim()]).toEqual([name, 'function']);
    }
  }, 60_000);

  it('has the release of evaluate in its entry, which changes when any chunk does', () => {
    const { file = '' } = isolate().find(({ name }) => name === 'getin-evaluate') ?? {};
    expect(readFileSync(file, 'utf8')).toContain('import.meta.filename');
  });

  it('has no CommonJS require that would fail only in the cloud', () => {
    const requiring = isolate().filter(({ code }) =>
      code.some((file) => readFileSync(file, 'utf8').includes('Dynamic require of')),
    );
    expect(requiring.map(({ name }) => name)).toEqual([]);
  });

  it('does not import node:http as a module, which would load undici at each cold start', () => {
    const importsHttp = /\b(?:from|import)\s*\(?["'](?:node:)?http["']/;
    const importing = isolate().filter(({ code }) =>
      code.some((file) => importsHttp.test(readFileSync(file, 'utf8'))),
    );
    expect(importing.map(({ name }) => name)).toEqual([]);
  });

  it('reads no more than 900 KB at its start, and has no more than 1.9 MB', () => {
    const atStart = isolate().map(({ file }) => bytesAtStart(file));
    expect(Math.max(...atStart)).toBeLessThan(900_000);
    const sizes = isolate().map(({ code }) =>
      code.reduce((sum, file) => sum + statSync(file).size, 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(1_900_000);
  });

  /**
   * The template's own variables, with some value each, because references have no value before a
   * deployment.
   */
  function environmentOf(service: string): Record<string, string> {
    const { template } = readCloudAssembly(assembly);
    const variables = Object.values(template.Resources)
      .map(({ Properties }) => Properties?.Environment as { Variables: Record<string, unknown> })
      .find((environment) => environment?.Variables.POWERTOOLS_SERVICE_NAME === service)?.Variables;
    return bundleEnvironment(variables ?? {});
  }
});

describe('npm run replay', () => {
  it('names the column that a recording lacks', async () => {
    const file = join(folder.path, 'narrow.csv');
    writeFileSync(file, 'sh_event_id,event_name\n1,A at B\n');
    command = runCommandFile('infra/local/replay.ts', [file, '--assembly', assembly]);
    const { errors } = command;
    expect(await command.ended).toBe(2);
    expect(errors()).toMatch(/home_team/);
    expect(errors().trimEnd().split('\n')).toHaveLength(1);
  }, 60_000);
});

describe('synthesis', () => {
  it('that fails gives the reason in one line', async () => {
    const app = join(folder.path, 'broken-app.mjs');
    writeFileSync(
      app,
      'class StackError extends Error { name = "StackError" }\nthrow new StackError("no such stage");\n',
    );
    const outputFolder = join(folder.path, 'broken.out');
    await expect(synthesize({ outputFolder, app })).rejects.toThrow(
      'The stack could not be synthesized: StackError: no such stage',
    );
  });
});
