/**
 * Parses requests with the contract's schemas and refuses invalid ones with an error that names the
 * parameter.
 */

import type * as z from 'zod';
import { legacyEventQuerySchema } from '#shared/marketplace/contract.ts';
import { type CatalogEvent, findEvent } from '../catalog.ts';
import { EventNotFoundError, InvalidParamError } from '../errors.ts';
import type { Call } from './operation.ts';

/** @throws InvalidParamError naming the first invalid parameter. */
export function parseQuery<S extends z.ZodType>(schema: S, call: Call): z.output<S> {
  return parse(schema, call.query);
}

/** @throws InvalidParamError when the body is not JSON or does not match the schema. */
export function parseBody<S extends z.ZodType>(schema: S, call: Call): z.output<S> {
  if (call.body === undefined) throw new InvalidParamError('the body is not JSON', 'body');
  return parse(schema, call.body);
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const param = first?.path[0] === undefined ? 'body' : String(first.path[0]);
  throw new InvalidParamError(`${param}: ${first?.message ?? 'invalid'}`, param);
}

/**
 * The event that a v0.x query names, by `event_id` or by `event_id_sh`.
 * @throws InvalidParamError unless exactly one is given; EventNotFoundError.
 */
export function requireLegacyEvent(call: Call): CatalogEvent {
  const query = parseQuery(legacyEventQuerySchema, call);
  if (query.event_id !== undefined) return requireEvent(call, query.event_id, 'service');
  return requireEvent(call, query.event_id_sh ?? Number.NaN, 'marketplace');
}

/** @throws EventNotFoundError when there is no such event. */
export function requireEvent(
  call: Call,
  id: number,
  idKind: 'service' | 'marketplace',
): CatalogEvent {
  const event = findEvent(call.service.store, id, idKind);
  if (event) return event;
  throw new EventNotFoundError(
    idKind === 'service' ? `no event ${id}` : `no event with marketplace id ${id}`,
  );
}
