// Collects a receiver's answer. The status line decides about success; if the body is slow, broken or
// endless, only the excerpt is lost. Reads only the start of the body.
import type { IncomingHttpHeaders } from 'node:http';

/** The most that is read of a body. */
const bodyLimitBytes = 64 * 1024;

export interface PostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The start of the body, as text; always well-formed. */
  excerpt: string;
  /** The request was sent before on a kept connection that broke: the receiver may have read it then. */
  isSecond?: true;
}

interface Endings {
  /** @param isWhole whether the body was read to its end, so that the connection can be used again. */
  onAnswer: (answer: PostAnswer, isWhole: boolean) => void;
  /** No status line came. */
  onFailure: (error: Error) => void;
}

/** Calls one of the two endings once. Does not decompress (gzip), so memory stays bounded. */
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

  /** Takes the status line and headers of the final answer, not of an interim one (1xx). */
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

  /**
   * No more data will come: after a status line, the part that arrived is the answer; else this is a failure.
   */
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
