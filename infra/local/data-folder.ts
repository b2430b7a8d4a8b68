/**
 * The folder that a local run keeps its data in: one run at a time, and wiped only of
 * what runs have put there.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalRunError } from './errors.ts';

/** Everything that a run makes in its data folder, but the lock. */
const contents = [
  'cdk.out',
  'dynamodb',
  'secrets.json',
  'secrets.json.new',
  'marketplace.db',
  'marketplace.db-shm',
  'marketplace.db-wal',
  'webhook-receiver.json',
  'demo.json',
  'run.json',
];

/** What scripts read to find a running system. */
export interface RunFacts {
  api: string;
  marketplace: string;
  inbox: string;
  webhooks: string;
  api_key: string;
  marketplace_key: string;
  operator_key: string;
  pid: number;
}

export class DataFolder {
  readonly path: string;
  readonly #lock: string;

  private constructor(path: string) {
    this.path = path;
    this.#lock = join(path, 'lock');
  }

  /**
   * Opens the folder for this process alone, made if missing.
   *
   * @throws LocalRunError if another run has it
   */
  static open(path: string): DataFolder {
    const folder = new DataFolder(path);
    mkdirSync(path, { recursive: true });
    folder.#acquire();
    return folder;
  }

  /** The path of one of its contents. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** Removes what earlier runs left, and nothing else. */
  wipe(): void {
    for (const name of contents) rmSync(this.file(name), { recursive: true, force: true });
  }

  writeRunFacts(facts: RunFacts): void {
    writeFileSync(this.file('run.json'), `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  }

  /** Gives the folder up: the run's facts are gone, its data stays. */
  close(): void {
    rmSync(this.file('run.json'), { force: true });
    rmSync(this.#lock, { force: true });
  }

  #acquire(): void {
    try {
      writeFileSync(this.#lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (!isErrorWithCode(error, 'EEXIST')) throw error;
      this.#takeOver();
    }
  }

  /** A lock whose process is gone was left by a crash. */
  #takeOver(): void {
    const holder = Number(readFileSync(this.#lock, 'utf8'));
    if (holder !== process.pid && isRunning(holder)) {
      throw new LocalRunError(
        `${this.path} is in use by a run with process id ${holder}; stop it, or choose another ` +
          'folder with --data DIR.',
      );
    }
    writeFileSync(this.#lock, String(process.pid));
    rmSync(this.file('run.json'), { force: true });
  }
}

function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Another user's process can't be signalled, but it runs.
    return isErrorWithCode(error, 'EPERM');
  }
}

function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
