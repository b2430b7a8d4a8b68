import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolder } from '#infra/local/data-folder.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixture-assembly.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const facts = {
  api: 'http://127.0.0.1:1',
  marketplace: 'http://127.0.0.1:2',
  inbox: 'http://127.0.0.1:3',
  desk: 'http://127.0.0.1:1/console/sign-in#getin_link_x',
  webhooks: 'http://127.0.0.1:4',
  api_key: 'getin_x',
  marketplace_key: 'm',
  operator_key: 'o',
  pid: 1,
};

describe('a data folder', () => {
  it('holds the facts of a run while it lasts', () => {
    const data = DataFolder.open(folder.path);
    data.writeRunFacts(facts);
    expect(JSON.parse(readFileSync(data.file('run.json'), 'utf8'))).toEqual(facts);
    data.close();
    expect(existsSync(data.file('run.json'))).toBe(false);
  });

  it('allows one run at a time', () => {
    writeFileSync(join(folder.path, 'lock'), String(process.ppid));
    expect(() => DataFolder.open(folder.path)).toThrow(
      `${folder.path} is in use by a run with process id ${process.ppid}; stop it, or choose ` +
        'another folder with --data DIR.',
    );
  });

  it.each(['999999999', 'nonsense', ''])('is taken over from a run that crashed (%j)', (left) => {
    writeFileSync(join(folder.path, 'lock'), left);
    writeFileSync(join(folder.path, 'run.json'), '{}');
    const data = DataFolder.open(folder.path);
    expect(readFileSync(data.file('lock'), 'utf8')).toBe(String(process.pid));
    expect(existsSync(data.file('run.json'))).toBe(false);
    data.close();
  });

  it('loses only the files of runs in a wipe', () => {
    const data = DataFolder.open(folder.path);
    writeFileSync(data.file('marketplace.db'), '');
    writeFileSync(data.file('thesis.txt'), '');
    data.wipe();
    expect(existsSync(data.file('marketplace.db'))).toBe(false);
    expect(existsSync(data.file('thesis.txt'))).toBe(true);
    data.close();
  });
});
