/**
 * The reasons to refuse a request, one class for each reaction of the caller. error-bodies.ts
 * writes them in the styles of the API.
 */
import type { PaymentCode } from '#shared/marketplace/contract.ts';

/** A refusal that the caller is told about; any other thrown error is our fault. */
export abstract class Refusal extends Error {
  abstract readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 413 | 429 | 503;
}

/** The caller corrects the named parameter. */
export class InvalidParamError extends Refusal {
  override readonly name = 'InvalidParamError';
  readonly status = 400;
  readonly param: string | undefined;
  constructor(message: string, param?: string) {
    super(message);
    this.param = param;
  }
}

/** The caller uses one of the methods that `Allow` names. */
export class MethodError extends Refusal {
  override readonly name = 'MethodError';
  readonly status = 405;
}

/** The caller sends a smaller body. */
export class BodyTooLargeError extends Refusal {
  override readonly name = 'BodyTooLargeError';
  readonly status = 413;
}

/** The caller starts the walk again (api.md, Common pagination rules 5). */
export class InvalidCursorError extends Refusal {
  override readonly name = 'InvalidCursorError';
  readonly status = 400;
}

/** The caller sends a key: it was missing or malformed. */
export class MissingKeyError extends Refusal {
  override readonly name = 'MissingKeyError';
  readonly status = 401;
}

/** The caller checks the key: no account has it. */
export class UnknownKeyError extends Refusal {
  override readonly name = 'UnknownKeyError';
  readonly status = 401;
}

/** The caller subscribes, to the API or to the daily CSV. */
export class NotSubscribedError extends Refusal {
  override readonly name = 'NotSubscribedError';
  readonly status = 403;
}

/** The caller tops up; `balance` and `required` are in pulls. */
export class PaymentError extends Refusal {
  override readonly name = 'PaymentError';
  readonly status = 402;
  readonly code: PaymentCode;
  readonly balance: number;
  readonly required: number;
  constructor(o: { code: PaymentCode; balance: number; required: number }) {
    super(`the account cannot cover ${o.required} pull(s): ${o.code}`);
    this.code = o.code;
    this.balance = o.balance;
    this.required = o.required;
  }
}

/** The caller drops the event: no event has that id. */
export class EventNotFoundError extends Refusal {
  override readonly name = 'EventNotFoundError';
  readonly status = 404;
}

/** The caller waits for the given seconds. */
export class OverLimitError extends Refusal {
  override readonly name = 'OverLimitError';
  readonly status = 429;
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(`over the rate limit; try again in ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The caller waits for the given seconds: another process is writing to the store. */
export class UnavailableError extends Refusal {
  override readonly name = 'UnavailableError';
  readonly status = 503;
  readonly retryAfterSeconds = 5;
}
