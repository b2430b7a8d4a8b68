// Starts and stops Prism, the peer that the marketplace's speed is compared with.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const prism = '@stoplight/prism-cli@5.16.0';

/** A server process under measurement. */
export interface Served {
  url: string;
  pid: number;
  key: string;
  process: ChildProcess;
}

/** Prism on our own document, or the reason why it is missing. It is fetched by npx, never installed. */
export async function startPrism(
  folder: string,
  document: string,
  patienceMs: number,
): Promise<Served | string> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, document);
  const port = await freePort();
  const args = ['--yes', '--ignore-scripts', prism, 'mock', '--port', String(port), file];
  const child = spawn('npx', args, { detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < patienceMs && child.exitCode === null; waited += 250) {
    if (output.includes('Prism is listening')) {
      return { url, key: 'k'.repeat(64), pid: await leafOf(child.pid ?? 0), process: child };
    }
    await wait(250);
  }
  stopGroup(child);
  return output.trim().split('\n').at(-1) || `${prism} did not start in time`;
}

/** A free port; Prism does not accept 0. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** npx starts the program as a child of a child: the last process in the chain is Prism. */
async function leafOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const first = children.trim().split(' ')[0];
  return first ? leafOf(Number(first)) : pid;
}

export function stopGroup(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
}
