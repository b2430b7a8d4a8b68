import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { synthesize } from '#infra/local/assembly/synthesize.ts';
import { assemblyLimitMs, assemblyOfRun } from '#test/support/assembly-of-run.ts';
import { bundleEnvironment } from './support/bundle-environment.ts';
import { type Command, runCommandFile } from './support/command.ts';
import { type TemporaryFolder, temporaryFolder } from './support/fixture-assembly.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

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
  /** A folder without node_modules above it. */
  function isolate(): { name: string; file: string }[] {
    const { template, assetPaths } = readCloudAssembly(assembly);
    return Object.values(template.Resources).flatMap(({ Type, Properties = {} }) => {
      if (Type !== 'AWS::Lambda::Function') return [];
      const { S3Key } = Properties.Code as { S3Key: string };
      const name = (Properties.Environment as { Variables: Record<string, string> }).Variables
        .POWERTOOLS_SERVICE_NAME;
      const place = join(folder.path, 'isolated', String(name));
      mkdirSync(place, { recursive: true });
      const file = join(place, 'index.mjs');
      copyFileSync(join(assetPaths.get(S3Key) ?? '', 'index.mjs'), file);
      return [{ name: String(name), file }];
    });
  }

  it('loads in a clean process without node_modules, and exports a handler', async () => {
    const bundles = isolate();
    expect(bundles.map(({ name }) => name).sort()).toEqual([
      'getin-api',
      'getin-dispatch',
      'getin-evaluate',
      'getin-jobs',
      'getin-mail-feedback',
      'getin-poll',
      'getin-reconcile',
      'getin-send-email',
      'getin-send-webhook',
    ]);
    for (const { name, file } of bundles) {
      const script = `import(${JSON.stringify(file)}).then((m) => console.log(typeof m.handler))`;
      const { stdout } = await run(process.execPath, ['--eval', script], {
        cwd: folder.path,
        env: environmentOf(name),
      });
      expect([name, stdout.trim()]).toEqual([name, 'function']);
    }
  }, 60_000);

  it('has no CommonJS require that would fail only in the cloud', () => {
    const requiring = isolate().filter(({ file }) =>
      readFileSync(file, 'utf8').includes('Dynamic require of'),
    );
    expect(requiring.map(({ name }) => name)).toEqual([]);
  });

  it('does not import node:http as a module, which would load undici at each cold start', () => {
    const importing = isolate().filter(({ file }) =>
      /\b(?:from|import)\s*\(?["'](?:node:)?http["']/.test(readFileSync(file, 'utf8')),
    );
    expect(importing.map(({ name }) => name)).toEqual([]);
  });

  it('is no larger than 1.6 MB', () => {
    const sizes = isolate().map(({ file }) => statSync(file).size);
    expect(Math.max(...sizes)).toBeLessThan(1_600_000);
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

describe('npm start', () => {
  it('synthesizes what the CDK does, runs from its first alert to Ctrl-C, and leaves no run.json', async () => {
    const data = join(folder.path, 'data');
    const args = ['--data', data, '--port', '0', '--tick', '1s'];
    command = runCommandFile('infra/local/main.ts', args);
    const { output, errors } = command;
    await expect
      .poll(() => errors() || existsSync(join(data, 'run.json')), { timeout: 120_000 })
      .toBe(true);
    const facts = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8'));
    await expect.poll(() => output()).toContain(facts.api_key);

    await expect
      .poll(() => output().match(/^▼ .*/m)?.[0], { timeout: 60_000 })
      .toMatch(/your level was/);
    const inbox = async () => (await read(`${facts.inbox}/store`)).emails.length;
    await expect.poll(inbox, { timeout: 30_000 }).toBeGreaterThan(0);
    const posted = async () => (await read(facts.webhooks)).posts[0]?.verified;
    await expect.poll(posted, { timeout: 30_000 }).toBe(true);

    command.interrupt();
    expect(await command.ended).toBe(0);
    expect(errors()).toBe('');
    expect(existsSync(join(data, 'run.json'))).toBe(false);
    expect(resourcesOf(join(data, 'cdk.out'))).toBe(resourcesOf(assembly));
  }, 240_000);
});

/** Without the assets' hashes, which change if a source changes between the two. */
function resourcesOf(from: string): string {
  const { Resources } = readCloudAssembly(from).template;
  return JSON.stringify(Resources, null, 1).replaceAll(/[0-9a-f]{64}/g, 'hash');
}

async function read(url: string) {
  return JSON.parse(await (await fetch(url)).text());
}

describe('npm run replay', () => {
  const recorded = join(root, '../shared/data/resale-nba-2014.csv');

  it.skipIf(!existsSync(recorded))(
    `replays a slice of the recorded prices through the whole system (${recorded} is needed)`,
    async () => {
      const [header = '', ...lines] = readFileSync(recorded, 'utf8').split('\n');
      const games = lines.filter((line) => /^910679[45],/.test(line));
      const file = join(folder.path, 'slice.csv');
      writeFileSync(file, [header, ...games, 'not,a,line', ''].join('\n'));
      const args = [file, '--speed', '400000', '--tick', '1s', '--assembly', assembly];
      command = runCommandFile('infra/local/replay.ts', args);
      const { output, errors } = command;
      expect([await command.ended, errors()]).toEqual([0, '']);
      const figure = (name: string): number =>
        Number(new RegExp(`([\\d,]+)  ${name}`).exec(output())?.[1]);
      expect(figure('events watched')).toBe(2);
      expect(figure('lines skipped')).toBe(1);
      expect(output()).toContain(`line ${games.length + 2} skipped`);
      expect(figure('snapshots polled and stored')).toBe(figure('snapshots ingested'));
      expect(figure('pulls charged')).toBeGreaterThanOrEqual(2);
      expect(figure('alerts sent')).toBeGreaterThanOrEqual(1);
      // By mail and by webhook; alerts close together share a delivery.
      expect(figure('emails and webhooks delivered')).toBeGreaterThanOrEqual(2);
      expect(figure('emails and webhooks delivered')).toBeLessThanOrEqual(
        2 * figure('alerts sent'),
      );
    },
    120_000,
  );

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
