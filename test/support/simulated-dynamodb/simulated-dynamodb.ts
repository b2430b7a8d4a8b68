// A DynamoDB in this process, with AWS's latencies in simulated time, its pages, its item limit and its limits of a
// partition. The SDK's own client speaks to it, so a bench measures what the SDK does with the answers too.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { documentClient } from '#shared/dynamo/document-client.ts';
import { RefusedRequest } from './refused-request.ts';
import type { Input } from './request-parts.ts';
import { answered } from './requests.ts';
import { type IndexDefinition, SimulatedTable, type Stock } from './simulated-table.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { Throughput } from './throughput.ts';

export interface SimulatedTableSettings {
  indexes: readonly IndexDefinition[];
  /** @default empty */
  stock?: Stock;
}

/** How long a request takes within a Region, in milliseconds. */
export interface Latencies {
  /** A read or write of one item. */
  single: number;
  /** A query, a scan, or a batch of reads. */
  many: number;
  /** More for each megabyte that DynamoDB reads for it. */
  perMegabyte: number;
}

export const awsLatencies: Latencies = { single: 5, many: 12, perMegabyte: 30 };
/** No latency, for filling the tables. */
export const noLatencies: Latencies = { single: 0, many: 0, perMegabyte: 0 };

export interface RequestCounts {
  requests: number;
  /** Requests by operation. */
  byOperation: Record<string, number>;
  readBytes: number;
  readUnits: number;
  writeUnits: number;
  throttled: number;
}

const megabyte = 1_048_576;

export function openSimulatedDynamo(
  time: SimulatedTime,
  settings: Readonly<Record<string, SimulatedTableSettings>>,
) {
  const tables = new Map(
    Object.entries(settings).map(([name, { indexes, stock }]) => [
      name,
      new SimulatedTable(indexes, stock),
    ]),
  );
  const throughput = new Throughput();
  const counts: RequestCounts = newCounts();
  let latencies = awsLatencies;
  let onAnswer = () => {};

  function answer(operation: string, input: Input): { status: number; text: string; ms: number } {
    counts.requests += 1;
    counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + 1;
    const isSingle = /^(Get|Put|Update|Delete)Item$/.test(operation);
    const ms = isSingle ? latencies.single : latencies.many;
    try {
      const { text, readBytes, reads, writes, commit } = answered(tables, operation, input);
      if (latencies.single > 0) {
        throughput.take('read', reads, time.now());
        throughput.take('write', writes, time.now());
      }
      commit?.();
      counts.readBytes += readBytes;
      counts.readUnits += reads.reduce((sum, { units }) => sum + units, 0);
      counts.writeUnits += writes.reduce((sum, { units }) => sum + units, 0);
      return { status: 200, text, ms: ms + (latencies.perMegabyte * readBytes) / megabyte };
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      const { kind, message } = error;
      const body = { __type: `com.amazonaws.dynamodb.v20120810#${kind}`, message };
      return { status: 400, text: JSON.stringify(body), ms };
    }
  }

  async function handle({ headers, body }: { headers: Record<string, string>; body?: unknown }) {
    const target = headers['x-amz-target'] ?? headers['X-Amz-Target'] ?? '';
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
    // The tables change when the request arrives, and its answer comes after the latency.
    const { bytes, status, ms } = time.free(() => {
      const given = answer(target.slice(target.indexOf('.') + 1), JSON.parse(text) as Input);
      return { ...given, bytes: new TextEncoder().encode(given.text) };
    });
    if (ms > 0) await time.sleep(ms);
    onAnswer();
    return {
      response: {
        statusCode: status,
        headers: { 'content-type': 'application/x-amz-json-1.0' },
        body: bytes,
      },
    };
  }

  const raw = new DynamoDBClient({
    ...{ endpoint: 'http://dynamodb.invalid', region: 'us-east-1' },
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: { handle, updateHttpClientConfig: () => {}, httpHandlerConfigs: () => ({}) },
    signer: { sign: async <Unsigned>(request: Unsigned) => request },
  });
  return {
    /** As the functions make theirs. */
    client: documentClient(raw),
    tables,
    /** What was asked since the last `reset`. */
    counts: (): RequestCounts => ({ ...counts, throttled: throughput.throttled }),
    reset(): void {
      Object.assign(counts, newCounts());
      throughput.throttled = 0;
    },
    setLatencies(wanted: Latencies): void {
      latencies = wanted;
    },
    /** Called with each answer, for a look at the memory. */
    setOnAnswer(look: () => void): void {
      onAnswer = look;
    },
  };
}

function newCounts(): RequestCounts {
  return { requests: 0, byOperation: {}, readBytes: 0, readUnits: 0, writeUnits: 0, throttled: 0 };
}

export type SimulatedDynamo = ReturnType<typeof openSimulatedDynamo>;
