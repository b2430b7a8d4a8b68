/**
 * The data folder of a local run. Only one run may use it at a time, and a wipe removes only files
 * that runs have created.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalRunError } from './errors.ts';

/** Everything that a run creates in its data folder, except the lock. */
const contents = [
  'cdk.out',
  'dynamodb',
  'secrets.json',
  'secrets.json.new',
  'marketplace.db',
  'marketplace.db-shm',
  'marketplace.db-wal',
  'inbox.db',
  'inbox.db-shm',
  'inbox.db-wal',
  'webhook-receiver.json',
  'demo.json',
  'run.json',
];

/** Where the parts of a running system are, and their keys. */
export interface CloudFacts {
  api: string;
  marketplace: string;
  inbox: string;
  webhooks: string;
  api_key: string;
  marketplace_key: string;
  operator_key: string;
  pid: number;
}

/** What scripts read to find a running system. */
export interface RunFacts extends CloudFacts {
  /** Opens the desk signed in, once, within 15 minutes of the start. */
  desk: string;
}

export class DataFolder {
  readonly path: string;
  readonly #lock: string;

  private constructor(path: string) {
    this.path = path;
    this.#lock = join(path, 'lock');
  }

  /**
   * Opens the folder for this process alone; creates it if missing.
   *
   * @throws LocalRunError if another run uses it
   */
  static open(path: string): DataFolder {
    const folder = new DataFolder(path);
    mkdirSync(path, { recursive: true });
    folder.#acquire();
    return folder;
  }

  /** The path of a file in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** Removes the files of earlier runs, and no others. */
  wipe(): void {
    for (const name of contents) rmSync(this.file(name), { recursive: true, force: true });
  }

  writeRunFacts(facts: RunFacts): void {
    writeFileSync(this.file('run.json'), `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  }

  /** Releases the folder: removes the run's facts, keeps its data. */
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
    // A process of another user can't be signalled, but it is alive.
    return isErrorWithCode(error, 'EPERM');
  }
}

function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
