/**
 * Writes a refusal in each style of the API (api.md, Errors). Changes a status only where a style
 * requires it.
 */
import type { ErrorCode, ErrorType } from '#shared/marketplace/contract.ts';
import {
  BodyTooLargeError,
  EventNotFoundError,
  InvalidCursorError,
  InvalidParamError,
  MethodError,
  MissingKeyError,
  NotSubscribedError,
  OverLimitError,
  PaymentError,
  type Refusal,
  UnknownKeyError,
} from '../errors.ts';
import { answerJson, answerText, type ErrorStyle, type RouteAnswer } from './operation.ts';

/**
 * The answer to a refused request. `topUpUrl` goes into a 402, whose form is the same in all
 * styles.
 */
export function writeRefusal(refusal: Refusal, style: ErrorStyle, topUpUrl: string): RouteAnswer {
  if (refusal instanceof PaymentError) return writePayment(refusal, topUpUrl);
  if (style === 'envelope') return writeEnvelope(refusal);
  if (style === 'sentence') return writeSentence(refusal);
  // v0.3 has only the generic 400 and 401 (api.md, Other rules): an unknown event is a bad request.
  return answerText(refusal.message, refusal.status === 404 ? 400 : refusal.status);
}

/** The answer to an internal fault; it doesn't reveal the cause. */
export function writeFault(style: ErrorStyle): RouteAnswer {
  const message = 'the service failed on this request; try again';
  if (style === 'envelope') {
    return answerJson({ error: { type: 'server_error', code: 'server_error', message } }, 500);
  }
  return style === 'text' ? answerText(message, 500) : answerJson({ error: message }, 500);
}

function writePayment(refusal: PaymentError, topUpUrl: string): RouteAnswer {
  const { code, balance, required } = refusal;
  return answerJson(
    { error: 'payment_required', code, balance, required, top_up_url: topUpUrl },
    402,
  );
}

function writeEnvelope(refusal: Refusal): RouteAnswer {
  const [type, code, param] = classify(refusal);
  const error = { type, code, message: refusal.message, ...(param === undefined ? {} : { param }) };
  return answerJson({ error }, refusal.status);
}

function classify(refusal: Refusal): [ErrorType, ErrorCode, (string | undefined)?] {
  if (refusal instanceof InvalidParamError) {
    return ['invalid_request', 'invalid_param', refusal.param];
  }
  if (refusal instanceof InvalidCursorError) {
    return ['invalid_request', 'invalid_cursor', 'starting_after'];
  }
  if (refusal instanceof BodyTooLargeError) return ['invalid_request', 'body_too_large', 'body'];
  if (refusal instanceof MethodError) return ['invalid_request', 'method_not_allowed'];
  if (refusal instanceof MissingKeyError) return ['authentication_error', 'missing_api_key'];
  if (refusal instanceof UnknownKeyError) return ['authentication_error', 'invalid_api_key'];
  if (refusal instanceof NotSubscribedError) {
    return ['subscription_required', 'subscription_required'];
  }
  if (refusal instanceof EventNotFoundError) return ['not_found', 'event_not_found'];
  if (refusal instanceof OverLimitError) return ['rate_limit_error', 'rate_limited'];
  return ['server_error', 'server_error'];
}

function writeSentence(refusal: Refusal): RouteAnswer {
  if (refusal instanceof OverLimitError) {
    const { message: error, retryAfterSeconds: retry_after } = refusal;
    return answerJson({ error, retry_after }, 429);
  }
  return answerJson({ error: refusal.message }, refusal.status);
}
