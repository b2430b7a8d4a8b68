/**
 * The daily event catalog as bytes or rows, streamed: the file is never held in memory. Converts no
 * cell: every value is a string.
 */
import { Readable } from 'node:stream';
import { type AttemptGuard, type CallOptions, guardAttempt } from './attempt-guard.ts';
import { type Charge, FREE } from './charge.ts';
import { dailyCsvQuerySchema } from './contract.ts';
import { ENDPOINTS, endpointLabel } from './endpoints.ts';
import { ContractError, MarketplaceError, ServerError } from './errors.ts';
import { explainFault } from './network-fault.ts';
import type { RateLimitReading } from './rate-limiter.ts';
import type { Redactor } from './redact.ts';
import { encodeQuery } from './request-params.ts';
import type { ServiceClock } from './result.ts';
import type { Request, Transport } from './transport.ts';

const endpoint = ENDPOINTS.dailyCsv;

export interface DailyCsvOptions extends CallOptions {
  /** YYYYMMDD, within the last 30 days. @default the newest file */
  date?: string | undefined;
}

/** One row by the header's names. */
export type DailyCsvRow = Record<string, string>;

/** Told of each row that was left out, by its line in the file, from 1. */
export type OnBadRow = (line: number) => void;

/** A download under way. Read it once, by `bytes`, `rows` or `text`. */
export interface DailyCsv {
  cost: Charge;
  rateLimit: RateLimitReading | undefined;
  /** What the answer's `Date` header said of the service's clock. */
  serviceClock: ServiceClock | undefined;
  /** @throws NetworkError when the download breaks or stalls; ContractError beyond `maxCsvBytes` */
  bytes(): AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * A row with another number of columns than the header is left out, and told to `onBadRow`.
   * @throws as `bytes`, and ContractError for a file that is not CSV
   */
  rows(onBadRow?: OnBadRow): AsyncGenerator<DailyCsvRow, void, undefined>;
  /** The whole file in memory. @throws as `bytes` */
  text(): Promise<string>;
}

/** Begins the download. Its beginning is retried, a broken download is not. */
export async function openDailyCsv(
  transport: Transport,
  options: DailyCsvOptions,
): Promise<DailyCsv> {
  const query = encodeQuery(endpoint, dailyCsvQuerySchema, { date: options.date });
  const request = { endpoint, path: endpoint.path, query, maxPulls: 0, options };
  const { value, rateLimit, serviceClock } = await transport.send(request, async (response) => {
    await refuseMarkup(response, transport.redact);
    return response;
  });
  const bytes = () => readBytes(transport, request, value);
  return {
    cost: FREE,
    rateLimit,
    serviceClock,
    bytes,
    rows: (onBadRow) => readRows(bytes(), onBadRow),
    text: () => readText(bytes()),
  };
}

async function refuseMarkup(response: Response, redact: Redactor): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!/html|json/.test(type)) return;
  await response.body?.cancel();
  const evidence = { endpoint: endpointLabel(endpoint), status: response.status };
  throw new ServerError(redact(`expected CSV, got ${type}`), evidence);
}

async function* readBytes(
  transport: Transport,
  request: Request,
  response: Response,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  const { limits } = transport;
  const reader = response.body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await readChunk(transport, request, reader);
      if (done) return;
      size += value.byteLength;
      if (size > limits.maxCsvBytes) throw breach(`more than ${limits.maxCsvBytes} bytes`);
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** One read, bounded in time like an attempt: a download may be long but must not stall. */
async function readChunk(
  transport: Transport,
  request: Request,
  reader: ReadableStreamDefaultReader<Uint8Array>,
) {
  const { limits, redact } = transport;
  const guard = guardAttempt(request.options, transport.now(), limits.requestTimeoutMs);
  try {
    return await Promise.race([reader.read(), rejectWhenEnded(guard)]);
  } catch (error) {
    throw explainFault({ error, request, guard, limits, redact });
  } finally {
    guard.close();
  }
}

function rejectWhenEnded({ signal }: AttemptGuard): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function* readRows(
  bytes: AsyncGenerator<Uint8Array>,
  onBadRow: OnBadRow = () => {},
): AsyncGenerator<DailyCsvRow, void, undefined> {
  // Most processes never read the CSV: they don't pay for loading the parser.
  const { parse } = await import('csv-parse');
  const source = Readable.from(bytes, { objectMode: false });
  const parser = parse({
    ...{ columns: true, bom: true, skip_empty_lines: true },
    relax_column_count: true,
    on_record: (row: DailyCsvRow, { error, lines }) => {
      if (!error) return row;
      onBadRow(lines);
      return null;
    },
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    yield* parser;
  } catch (error) {
    if (error instanceof MarketplaceError || !isCsvError(error)) throw error;
    throw breach(`not CSV: ${error.code}`);
  } finally {
    source.destroy();
  }
}

function isCsvError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

async function readText(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of bytes) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function breach(problem: string): ContractError {
  return new ContractError(problem, { endpoint: endpointLabel(endpoint) }, '');
}
