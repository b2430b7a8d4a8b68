/**
 * The daily event catalog as bytes or rows. Streams the file, so it is never in memory as a whole.
 * Converts no cell: every value is a string.
 */
import { Readable } from 'node:stream';
import { type AttemptGuard, type CallOptions, guardAttempt } from './attempt-guard.ts';
import { type Charge, FREE } from './charge.ts';
import { dailyCsvQuerySchema } from './contract/errors.ts';
import { ENDPOINTS, endpointLabel } from './endpoints.ts';
import { ContractError, MarketplaceError, ServerError } from './errors.ts';
import { explainFault } from './network-fault.ts';
import type { RateLimitReading } from './rate-limiter.ts';
import type { Redactor } from './redact.ts';
import type { Request } from './request.ts';
import { encodeQuery } from './request-params.ts';
import type { ServiceClock } from './result.ts';
import type { Transport } from './transport.ts';

const endpoint = ENDPOINTS.dailyCsv;

export interface DailyCsvOptions extends CallOptions {
  /** YYYYMMDD, within the last 30 days. @default the newest file */
  date?: string | undefined;
}

/** One row; its keys are the header's column names. */
export type DailyCsvRow = Record<string, string>;

/** Called for each skipped row with its line number in the file, from 1. */
export type OnBadRow = (line: number) => void;

/** A running download. Read it once, by `bytes`, `rows` or `text`. */
export interface DailyCsv {
  cost: Charge;
  rateLimit: RateLimitReading | undefined;
  /** The service's time by the answer's `Date` header. */
  serviceClock: ServiceClock | undefined;
  /** @throws NetworkError when the download breaks or stalls; ContractError beyond `maxCsvBytes` */
  bytes(): AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * Skips a row whose number of columns differs from the header's and calls `onBadRow`.
   * @throws as `bytes`, and ContractError for a file that is not CSV
   */
  rows(onBadRow?: OnBadRow): AsyncGenerator<DailyCsvRow, void, undefined>;
  /** The whole file in memory. @throws as `bytes` */
  text(): Promise<string>;
}

/** Starts the download. The start is retried; a broken download is not. */
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

/** Reads one chunk within a time limit: a download may take long but must not stall. */
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
  // Load the parser only when the CSV is read: most processes never read it.
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
