/**
 * Error bodies: the v1 envelope, the flat 402 body and the daily CSV's own. The plain-text errors
 * of v0.x and the HTML 404 page have no schema.
 */
import * as z from 'zod';

/** `type` of the envelope; `server_error` accompanies a 5xx (facts.md). */
export const ERROR_TYPES = [
  'invalid_request',
  'authentication_error',
  'subscription_required',
  'not_found',
  'rate_limit_error',
  'server_error',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

export const ERROR_CODES = [
  'invalid_param',
  'invalid_cursor',
  'body_too_large',
  'method_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'subscription_required',
  'event_not_found',
  'rate_limited',
  'server_error',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Types and codes accept any string, so that a new code is still read as an error. */
export const errorEnvelopeSchema = z
  .looseObject({
    error: z.looseObject({
      type: z.string().meta({ examples: [...ERROR_TYPES] }),
      code: z.string().meta({ examples: [...ERROR_CODES] }),
      message: z.string(),
      param: z.string().optional().meta({ description: 'For input-validation errors only' }),
    }),
  })
  .meta({ id: 'ErrorEnvelope', description: 'The error body of v1' });
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

export const PAYMENT_CODES = [
  'insufficient_balance',
  'quota_and_balance_exhausted',
  'frozen',
] as const;
export type PaymentCode = (typeof PAYMENT_CODES)[number];

/** The flat 402 body; `balance` and `required` are in pulls (facts.md). */
export const paymentRequiredSchema = z
  .looseObject({
    error: z.literal('payment_required'),
    code: z.string().meta({ examples: [...PAYMENT_CODES] }),
    balance: z.number().optional(),
    required: z.number().optional(),
    top_up_url: z.string(),
  })
  .meta({ id: 'PaymentRequired', description: 'The account cannot cover the charge' });
export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;

/** JSON errors of the daily CSV and of event-add: a sentence, sometimes with a wait in seconds. */
export const plainErrorSchema = z
  .looseObject({ error: z.string(), retry_after: z.number().optional() })
  .meta({ id: 'PlainError', description: 'A v0.x error that is JSON' });
export type PlainError = z.infer<typeof plainErrorSchema>;

/** 429 of event-add when five jobs are unfinished (facts.md). */
export const tooManyJobsSchema = z
  .looseObject({ error: z.string(), active_jobs: z.int(), max_simultaneous: z.int() })
  .meta({ id: 'TooManyJobs', description: 'The cap on simultaneous jobs is reached' });

/** Query of GET /v0.5/daily-csv/download. */
export const dailyCsvQuerySchema = z.object({
  date: z
    .string()
    .regex(/^(\d{8})?$/, 'must be YYYYMMDD')
    .optional()
    .meta({ description: 'YYYYMMDD; the newest file when omitted or empty' }),
});
