// Starts and stops `npm start`'s program as a person would, and waits for conditions instead of fixed times.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const pollEveryMs = 100;

export interface RunFacts {
  api: string;
  marketplace: string;
  inbox: string;
  /** Signs a browser in, once. */
  desk: string;
  api_key: string;
  marketplace_key: string;
  operator_key: string;
  pid: number;
}

/** Retries until the answer is there. @throws after `limitMs`, with a description of the condition. */
export async function eventually<Answer>(
  what: string,
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  limitMs = 45_000,
): Promise<Answer> {
  const giveUpAt = performance.now() + limitMs;
  while (performance.now() < giveUpAt) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((wake) => setTimeout(wake, pollEveryMs));
  }
  throw new Error(`waited ${limitMs} ms for ${what}`);
}

export interface LocalRun {
  facts: RunFacts;
  /** Its output so far. */
  output: () => string;
  /** Stops it; SIGKILL gives it no time to clean up. @returns the exit code, null when killed. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

/** Starts the local cloud with operator prices only, a tick of one second and free ports. */
export async function startLocalRun(dataFolder: string, flags: string[] = []): Promise<LocalRun> {
  const args = [
    '--data',
    dataFolder,
    '--port',
    '0',
    '--no-demo',
    '--market',
    'none',
    '--tick',
    '1s',
    '--verbose',
  ];
  const child = spawn(process.execPath, ['infra/local/main.ts', ...args, ...flags], { cwd: root });
  const output = collectOutput(child);
  const exited = new Promise<number | null>((settle) => child.once('exit', settle));
  const factsFile = join(dataFolder, 'run.json');
  const facts = await eventually('the local run to be ready', () => {
    if (child.exitCode !== null) throw new Error(`the local run ended early:\n${output()}`);
    return readFacts(factsFile, child.pid);
  });
  return {
    facts,
    output,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

/** A killed run leaves its file behind, so only the file of this run's process counts. */
function readFacts(file: string, pid: number | undefined): RunFacts | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const facts = JSON.parse(readFileSync(file, 'utf8')) as RunFacts;
    return facts.pid === pid ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** Calls an address with a key. @throws with the answer's text unless it is 2xx. */
export async function call<Answer>(
  key: string,
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

export interface ReceivedPost {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A webhook receiver that answers 200 and stores every request. */
export async function startReceiver() {
  const posts: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      response.end('ok');
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    posts,
    url: `http://127.0.0.1:${port}/hook`,
    stop: () => new Promise((settle) => server.close(settle)),
  };
}
