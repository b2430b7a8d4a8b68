/**
 * The operator's routes: submit observations, switch a marketplace off, top up a balance. Not part
 * of api.md; they need the operator's key.
 */
import * as z from 'zod';
import { marketplaceSourceSchema } from '#shared/marketplace/contract.ts';
import { accountNames, findNamedAccount } from '../billing/accounts.ts';
import { topUp } from '../billing/ledger.ts';
import { InvalidParamError } from '../errors.ts';
import { answerJson, type Call, type Route, type RouteOperation } from '../http/operation.ts';
import { parseBody } from '../http/parse.ts';
import { RefusedObservationError } from '../ingest/ingest.ts';
import { observationsSchema } from '../ingest/observations.ts';
import { setSourceStatus } from '../source-status.ts';

const maxObservationBytes = 64_000_000;
/** Even the sum of many such top-ups is an exact integer. */
const maxTopUpPulls = 1_000_000_000;

function operatorOperation(
  o: Pick<RouteOperation, 'method' | 'path' | 'summary' | 'body' | 'params'> & {
    description: string;
  },
): RouteOperation {
  const { description, ...rest } = o;
  return {
    ...rest,
    errors: 'envelope',
    access: 'operator',
    maxBodyBytes: maxObservationBytes,
    answer: { status: 200, description },
    refusals: [400],
  };
}

function answerObservations(call: Call) {
  if (call.body === undefined) throw new InvalidParamError('the body is not JSON', 'body');
  try {
    return answerJson(call.service.ingest.accept(call.body));
  } catch (error) {
    if (!(error instanceof RefusedObservationError)) throw error;
    throw new InvalidParamError(error.message, error.message.split(':', 1)[0]);
  }
}

const sourceBodySchema = z.object({ status: z.enum(['ok', 'unavailable']) });

function answerSource(call: Call) {
  const source = marketplaceSourceSchema.safeParse(call.param('source'));
  if (!source.success) throw new InvalidParamError('source: sh or vs', 'source');
  const { status } = parseBody(sourceBodySchema, call);
  setSourceStatus(call.service.store, source.data, status);
  return answerJson({ source: source.data, status });
}

const topUpBodySchema = z.object({
  account: z.enum(accountNames),
  pulls: z.int().positive().max(maxTopUpPulls),
});

function answerTopUp(call: Call) {
  const { account: name, pulls } = parseBody(topUpBodySchema, call);
  const { store } = call.service;
  const account = findNamedAccount(store, name);
  if (!account) throw new InvalidParamError(`account: no account "${name}"`, 'account');
  topUp(store, { account, pulls, at: call.now });
  return answerJson({ account: name, added_pulls: pulls });
}

export const operatorRoutes: readonly Route[] = [
  {
    operation: operatorOperation({
      method: 'post',
      path: '/operator/observations',
      summary: 'Ingest catalog entries, listing sets and sales',
      body: observationsSchema,
      description: 'Counts of the accepted items',
    }),
    handle: answerObservations,
  },
  {
    operation: operatorOperation({
      method: 'put',
      path: '/operator/sources/{source}',
      summary: 'Make a marketplace readable or unavailable',
      params: { source: marketplaceSourceSchema },
      body: sourceBodySchema,
      description: 'The status now',
    }),
    handle: answerSource,
  },
  {
    operation: operatorOperation({
      method: 'post',
      path: '/operator/top-ups',
      summary: 'Add pulls to the balance of an account',
      body: topUpBodySchema,
      description: 'The added pulls',
    }),
    handle: answerTopUp,
  },
];
