/**
 * The part of Secrets Manager that the product and the local run use (read a value, put a value),
 * over the AWS JSON protocol. Stores values in one file that only its owner can read.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { GatekeeperOptions } from '../access/gatekeeper.ts';
import { guardServer } from '../access/guard-server.ts';
import { LocalRunError, messageOf } from '../errors.ts';
import { addressOf, closeServer, httpServer, listenOnLoopback } from '../loopback.ts';
import type { Emulator } from './emulator.ts';

const storedSchema = z.record(z.string(), z.string());
const requestSchema = z.object({ SecretId: z.string(), SecretString: z.string().optional() });

/** Secret values by ARN, also written to a file so that they survive a restart. */
export class SecretStore {
  readonly #file: string;
  readonly #values: Map<string, string>;

  /** @throws LocalRunError if the file exists but is broken */
  constructor(file: string) {
    this.#file = file;
    this.#values = new Map(Object.entries(readStored(file)));
  }

  get(arn: string): string | undefined {
    return this.#values.get(arn);
  }

  put(arn: string, value: string): void {
    this.#values.set(arn, value);
    const written = `${this.#file}.new`;
    writeFileSync(written, JSON.stringify(Object.fromEntries(this.#values)), { mode: 0o600 });
    renameSync(written, this.#file);
  }
}

export async function startSecretsManager(
  port: number,
  store: SecretStore,
  access: GatekeeperOptions,
): Promise<Emulator> {
  const server = httpServer((request, response) => serve(store, request, response));
  const gatekeeper = guardServer(server, access);
  return {
    url: addressOf(await listenOnLoopback(server, port)),
    hold: (principals) => gatekeeper.hold(principals),
    stop: () => closeServer(server),
  };
}

async function serve(
  store: SecretStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const operation = String(request.headers['x-amz-target']).split('.').at(-1);
  const [status, answer] = respond(store, operation, await text(request));
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(answer));
}

function respond(
  store: SecretStore,
  operation: string | undefined,
  body: string,
): [status: number, answer: object] {
  const request = requestSchema.safeParse(parseJson(body));
  if (!request.success) return refusal('ValidationException', 'SecretId is missing');
  const { SecretId, SecretString } = request.data;
  const value = store.get(SecretId);
  if (value === undefined) {
    return refusal('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  const described = { ARN: SecretId, Name: SecretId.split(':').at(-1), VersionId: 'local' };
  if (operation === 'GetSecretValue') {
    return [200, { ...described, SecretString: value, VersionStages: ['AWSCURRENT'] }];
  }
  if (operation !== 'PutSecretValue' || SecretString === undefined) {
    return refusal('InvalidRequestException', `${operation} is not emulated on this machine`);
  }
  store.put(SecretId, SecretString);
  return [200, described];
}

function refusal(type: string, message: string): [number, object] {
  return [400, { __type: type, message }];
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readStored(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new LocalRunError(`${file} is broken (${messageOf(error)}); start with --fresh.`, {
      cause: error,
    });
  }
}
