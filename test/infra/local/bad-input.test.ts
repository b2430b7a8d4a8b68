import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listenOnLoopback } from '#infra/local/loopback.ts';
import { runCommandFile } from '../support/command.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';

let folder: TemporaryFolder;
let occupant: Server;
let taken: number;

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'broken'));
  writeFileSync(join(folder.path, 'broken', 'manifest.json'), '{"artifacts":');
  occupant = createServer();
  taken = await listenOnLoopback(occupant, 0);
});
afterAll(async () => {
  await closeServer(occupant);
  folder.remove();
});

/** Runs the command to its end; the arguments may name the test's own folder and port. */
async function run(file: string, args: string[]) {
  const settled = args.map((arg) =>
    arg.replace('FOLDER', folder.path).replace('TAKEN', String(taken)),
  );
  const command = runCommandFile(file, settled);
  const exitCode = await command.ended;
  return { exitCode, errors: command.errors(), output: command.output() };
}

const main = 'infra/local/main.ts';
const replay = 'infra/local/replay.ts';
const ownData = ['--data', 'FOLDER/data'];

describe('bad input is one clear line and exit code 2:', () => {
  it.each([
    ['an unknown flag', main, ['--prot', '1'], /^Unknown option '--prot'\. See --help\.$/],
    [
      'a market that is none',
      main,
      ['--market', 'flea'],
      /^--market takes simulator or none, not "flea"\.$/,
    ],
    ['a market of JavaScript', main, ['--market', 'constructor'], /^--market takes simulator or/],
    ['a speed beyond all', replay, ['package.json', '--speed', '1e9'], /^--speed takes a number/],
    [
      'more runs than memory',
      'test/proof/faults/main.ts',
      ['--runs', '99999999'],
      /^--runs takes a whole number from 1 to 10000, not "99999999"\.$/,
    ],
    [
      'a rate beyond all',
      'test/proof/soak/main.ts',
      ['--rate', '10001'],
      /^--rate takes a number above 0, at most 10000, not "10001"\.$/,
    ],
    [
      'a synthetic event that is no id',
      main,
      [...ownData, '--synthetic-event', 'x'],
      /^--synthetic-event takes the id of an event, or "" for none, not "x"\.$/,
    ],
    [
      'a port in use',
      main,
      [...ownData, '--port', 'TAKEN'],
      /^Port \d+ \(api\) is in use\. .*--port N\.$/,
    ],
    [
      'an assembly that is missing',
      main,
      [...ownData, '--port', '0', '--assembly', 'FOLDER/gone'],
      /gone\/manifest\.json is missing; synthesize the stack first\.$/,
    ],
    [
      'a broken template',
      main,
      [...ownData, '--port', '0', '--assembly', 'FOLDER/broken'],
      /broken\/manifest\.json is not JSON: .*\.$/,
    ],
    ['a replay without a file', replay, [], /^Give one file: npm run replay -- FILE --speed N\./],
    ['a replay of a missing file', replay, ['gone.csv'], /^There is no file gone\.csv\.$/],
  ])('%s', async (_, file, args, message) => {
    const { exitCode, errors, output } = await run(file, args);
    expect(errors.trimEnd().split('\n')).toEqual([expect.stringMatching(message)]);
    expect(exitCode).toBe(2);
    expect(output).not.toContain('    at ');
  });
});

it.each([
  [main, '--market M'],
  [replay, '--speed N'],
])('%s prints its flags on request', async (file, own) => {
  const { exitCode, output } = await run(file, ['--help']);
  expect(exitCode).toBe(0);
  expect(output).toContain(own);
  expect(output).toContain('--port N');
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
