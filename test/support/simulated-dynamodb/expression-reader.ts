// Reads DynamoDB's expressions token by token. An unknown form is an error that shows the expression: the product must
// never get an answer to a question that this simulation did not understand.
import { RefusedRequest } from './refused-request.ts';

const tokens = /\s*(<>|<=|>=|[=<>(),.[\]+-]|:[\w]+|#[\w]+|[A-Za-z_][\w]*|\d+)/y;

export class ExpressionReader {
  readonly #text: string;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    tokens.lastIndex = 0;
    while (tokens.lastIndex < text.trimEnd().length) {
      const found = tokens.exec(text);
      if (!found?.[1]) throw this.fault();
      this.#tokens.push(found[1]);
    }
  }

  get isOver(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  next(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }

  /** Takes the token if it is next; keywords in any case. */
  take(token: string): boolean {
    if (this.peek().toUpperCase() !== token) return false;
    this.#at += 1;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fault();
  }

  fault(): RefusedRequest {
    const place = this.#at < this.#tokens.length ? `at "${this.peek()}"` : 'at its end';
    return new RefusedRequest(
      'ValidationException',
      `Invalid expression: syntax error ${place} of ${this.#text}`,
    );
  }
}

/** A parser that keeps its results: a run has few expressions, and sends each thousands of times. */
export function onceForEachText<Parsed extends object>(
  parse: (text: string) => Parsed,
): (text: string) => Parsed {
  const known = new Map<string, Parsed>();
  return (text) => {
    const parsed = known.get(text) ?? parse(text);
    known.set(text, parsed);
    return parsed;
  };
}
