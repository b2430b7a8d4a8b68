/**
 * Reads the body of an answer as text, up to a bound on its decompressed size. Ignores the status.
 */

const decoder = new TextDecoder();

/** The body is larger than the client accepts. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * The whole body as text. Recognizes gzip by its first bytes, because v0.x forces gzip and proxies
 * drop the header.
 *
 * @throws AnswerTooLargeError as soon as the bound is passed; the rest is not read
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const bytes = await readBytes(response, maxBytes);
  const plain = isGzip(bytes) ? await gunzip(bytes, maxBytes) : bytes;
  return decoder.decode(plain);
}

/** The text of a failed answer, for the error message; empty beyond 64 KiB. */
export async function readErrorText(response: Response): Promise<string> {
  try {
    return await readText(response, 64 * 1024);
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return '';
    throw error;
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (length > maxBytes) {
    await response.body.cancel();
    throw new AnswerTooLargeError(`the body has ${length} bytes, more than ${maxBytes}`);
  }
  // Without content encoding, the HTTP parser never reads more than `content-length` bytes.
  const isLengthBinding = length <= maxBytes && !response.headers.has('content-encoding');
  return isLengthBinding ? response.bytes() : collect(response.body, maxBytes);
}

async function collect(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLargeError(`the body has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const compressed = new Blob([new Uint8Array(bytes)]).stream();
  return collect(compressed.pipeThrough(new DecompressionStream('gzip')), maxBytes);
}
