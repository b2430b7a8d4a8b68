// A receiver's answer, gathered as it comes: the status line decides about success, and a body that
// drips, breaks or never ends only costs its excerpt. Reads no more than the start of it.
import type { IncomingHttpHeaders } from 'node:http';

/** More of an answer than this is not read. */
const bodyLimitBytes = 64 * 1024;

export interface PostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The start of the body, as text; always well-formed. */
  excerpt: string;
}

interface Endings {
  /** @param isWhole whether the body was read to its end, so that the connection can be used again. */
  onAnswer: (answer: PostAnswer, isWhole: boolean) => void;
  /** No status line came. */
  onFailure: (error: Error) => void;
}

/** Ends once. The coding (gzip) is not undone, so that nothing can grow in memory. */
export class AnswerReading {
  readonly #endings: Endings;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #isOver = false;

  constructor(endings: Endings) {
    this.#endings = endings;
  }

  /** The status line and the headers of the answer itself, not of one that only announces it. */
  start(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= bodyLimitBytes) this.#answer(false);
  }

  /** The body was read to its end. */
  end(): void {
    this.#answer(true);
  }

  /** Nothing more will come: what arrived after a status line is the answer, else it has failed. */
  stop(error: Error): void {
    if (this.#status !== 0) {
      this.#answer(false);
      return;
    }
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endings.onFailure(error);
  }

  #answer(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const excerpt = textOf(this.#chunks);
    this.#endings.onAnswer({ status: this.#status, headers: this.#headers, excerpt }, isWhole);
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (!first) return '';
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  return bytes.toString('utf8', 0, Math.min(bytes.length, bodyLimitBytes));
}
