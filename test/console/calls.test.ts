// What the desk asks is what the API's document says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '#test/support/api.ts';
import { type ApiCall, addressOf } from '../../console/api/call.ts';
import * as calls from '../../console/api/calls.ts';

interface Operation {
  parameters?: { name: string; in: string }[];
}

let api: Api;
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  api = await startApi();
  paths = (await api.call('/openapi.json', { key: '' })).body.paths;
});
afterAll(() => api.stop());

const every = Object.entries(calls) as [string, ApiCall<unknown>][];

describe('each call of the desk', () => {
  it.each(every)('%s is an operation of the API with these parameters', (_, call) => {
    const operation = paths[call.path]?.[call.method.toLowerCase()];
    expect(operation).toBeDefined();
    const known = (operation?.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
    expect(call.query.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('an address', () => {
  it('has its parameters encoded, and leaves out those without a value', () => {
    const call = calls.undoChange;
    expect(addressOf(call, { path: { id: 'a/b?c#d' } })).toBe(
      '/v1/watches/bulk/a%2Fb%3Fc%23d/undo',
    );
    const query = { q: 'a&b=ü', limit: 5, none: undefined, empty: '' };
    expect(addressOf(calls.listWatches, { query })).toBe('/v1/watches?q=a%26b%3D%C3%BC&limit=5');
  });
});
