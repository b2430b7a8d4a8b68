// Whole runs of the local commands, from their first line to their end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCloudAssembly } from '#infra/local/assembly/cloud-assembly.ts';
import { assemblyLimitMs, assemblyOfRun } from '#test/support/assembly-of-run.ts';
import { type Command, runCommandFile } from './support/command.ts';
import { type TemporaryFolder, temporaryFolder } from './support/fixture-assembly.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Ends what hangs; the machine may be many times slower than usual. */
const patience = { timeout: 300_000 };

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

describe('npm start', () => {
  it('synthesizes what the CDK does, runs from its first alert to Ctrl-C, and leaves no run.json', async () => {
    const data = join(folder.path, 'data');
    const args = ['--data', data, '--port', '0', '--tick', '1s'];
    command = runCommandFile('infra/local/main.ts', args);
    const { output, errors } = command;
    await expect.poll(() => errors() || existsSync(join(data, 'run.json')), patience).toBe(true);
    const facts = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8'));
    await expect.poll(() => output()).toContain(facts.api_key);

    await expect.poll(() => output().match(/^▼ .*/m)?.[0], patience).toMatch(/ your \$/);
    const inbox = async () => (await read(`${facts.inbox}/store`)).emails.length;
    await expect.poll(inbox, patience).toBeGreaterThan(0);
    const posted = async () => (await read(facts.webhooks)).posts[0]?.verified;
    await expect.poll(posted, patience).toBe(true);

    command.interrupt();
    // The errors first: they say why a run did not end well.
    const ended = await command.ended;
    expect([errors(), ended]).toEqual(['', 0]);
    expect(existsSync(join(data, 'run.json'))).toBe(false);
    expect(resourcesOf(join(data, 'cdk.out'))).toBe(resourcesOf(assembly));
  });
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
  );
});
