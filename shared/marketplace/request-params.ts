/**
 * Checks the caller's arguments with the contract's schemas and writes them as query values. An
 * invalid argument costs no request; the error names it.
 */
import type * as z from 'zod';
import { type Endpoint, endpointLabel } from './endpoints.ts';
import { InvalidRequestError } from './errors.ts';

/** A service event id, or the id of the sh marketplace. */
export type EventRef = number | { marketplaceEventId: number };

type QueryValue = string | number | boolean | undefined;

/**
 * Writes the given values as strings and checks them against the endpoint's query schema.
 *
 * @throws InvalidRequestError naming the parameter; no request was sent
 */
export function encodeQuery(
  endpoint: Endpoint,
  schema: z.ZodType,
  values: Record<string, QueryValue>,
): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query[name] = String(value);
  }
  check(endpoint, schema, query);
  return query;
}

/**
 * @throws InvalidRequestError when `value` does not match the schema; names the first wrong field
 */
export function check(endpoint: Endpoint, schema: z.ZodType, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  const issue = parsed.error.issues[0];
  const param = issue?.path.map(String).join('.') || 'body';
  throw invalid(endpoint, param, issue?.message ?? 'mismatch');
}

/** An InvalidRequestError for a request that was not sent. */
export function invalid(endpoint: Endpoint, param: string, problem: string): InvalidRequestError {
  const evidence = { endpoint: endpointLabel(endpoint) };
  return new InvalidRequestError(`not sent: ${param}: ${problem}`, evidence, param);
}

/** @throws InvalidRequestError unless it is a whole number, 0 or more */
export function checkId(endpoint: Endpoint, param: string, id: unknown): number {
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
  throw invalid(endpoint, param, 'must be a whole number, 0 or more');
}

/** The path id of a v1 endpoint and its `id_type`. */
export function resolveEventRef(
  endpoint: Endpoint,
  ref: EventRef,
): { eventId: number; idType: 'marketplace' | undefined } {
  if (typeof ref === 'number') {
    return { eventId: checkId(endpoint, 'event_id', ref), idType: undefined };
  }
  const eventId = checkId(endpoint, 'marketplaceEventId', ref.marketplaceEventId);
  return { eventId, idType: 'marketplace' };
}

/** The event as query parameters of v0.x. */
export function legacyEventQuery(endpoint: Endpoint, ref: EventRef): Record<string, string> {
  const { eventId, idType } = resolveEventRef(endpoint, ref);
  return { [idType === undefined ? 'event_id' : 'event_id_sh']: String(eventId) };
}
