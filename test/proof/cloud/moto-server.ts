/** moto's server on a loopback port for the duration of a test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

export interface MotoServer {
  url: string;
  /** Settings for every client of it. */
  client: {
    endpoint: string;
    region: string;
    credentials: Record<'accessKeyId' | 'secretAccessKey', string>;
  };
  /** Returns those of the resource types that its CloudFormation ignores. */
  unknownTypes(types: readonly string[]): ReadonlySet<string>;
  stop(): void;
}

const startingMs = 60_000;

/** @param program path of `moto_server` */
export async function startMoto(program: string): Promise<MotoServer> {
  const child = spawn(program, ['-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MOTO_ENABLE_ISO_REGIONS: 'false', PYTHONUNBUFFERED: '1' },
  });
  const url = await addressIn(child);
  return {
    url,
    client: {
      endpoint: url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    unknownTypes: (types) => unknownTypes(join(dirname(program), 'python'), types),
    stop: () => void child.kill('SIGKILL'),
  };
}

function unknownTypes(python: string, types: readonly string[]): ReadonlySet<string> {
  const script = `
import sys
from moto.cloudformation import parsing
for name in sys.argv[1:]:
    if parsing.resource_class_from_type(name) is None:
        print(name)
`;
  const printed = execFileSync(python, ['-W', 'ignore', '-c', script, ...types], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Set(printed.split('\n').filter((line) => line.startsWith('AWS::')));
}

/** Werkzeug prints the port that it uses. */
function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`moto did not start:\n${said}`)), startingMs);
    const read = (chunk: Buffer): void => {
      said += chunk;
      const found = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`moto ended with ${code}:\n${said}`)));
  });
}
