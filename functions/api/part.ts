// A part of the API: the operations and pages under some paths. The function loads a part at the first request
// for it (parts.ts), so that it starts without the code and the schemas of the others.
import type { Hono } from 'hono';
import type { ApiDeps } from './api-deps.ts';
import type { Operation, OperationFacts } from './operation.ts';

export interface ApiPart {
  /** In the order in which the document lists them. */
  operations(deps: ApiDeps): Operation[];
  pages?: Pages;
}

/** Pages for people that take forms, so they are no operations of the JSON API. */
export interface Pages {
  /** The path that all of them begin with. */
  at: string;
  routes(deps: ApiDeps): Hono;
  facts: readonly OperationFacts[];
}
