// How every operation tells of what is wrong with a request.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsIn } from '#functions/api/faults.ts';
import { newWatchSchema } from '#shared/watchlist/watch-request.ts';
import { type Api, levelRule, startApi, watchBody } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 100_000, windowSeconds: 60 } });
  return () => api.stop();
});

const newWatch = (also: Record<string, unknown> = {}) => watchBody(api, also);
const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('/v1/watches', { body, headers });
const countWatches = async () => (await api.call('/v1/watches?limit=200')).body.data.length;

describe('problems', () => {
  it('are problem+json with a stable type, and tell all faults at once', async () => {
    const { status, headers, body } = await post({
      event_id: 0,
      nmae: 'x',
      rules: [
        { type: 'level', metric: 'get_in', at_or_belw: 5 },
        { type: 'fill_rate', at_or_above: 120 },
      ],
      channels: [],
      latency_seconds: 90_000,
    });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({
      type: 'urn:getin:problem:invalid-request',
      title: 'The request is not valid',
      status: 400,
    });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
    expect(pointers).toEqual([
      '#/channels',
      '#/event_id',
      '#/latency_seconds',
      '#/nmae',
      '#/rules/0',
      '#/rules/0/at_or_belw',
      '#/rules/1/at_or_above',
    ]);
  });

  it('name the nearest known field of the very object', async () => {
    const { body } = await post(newWatch({ chanels: [], rules: [{ ...levelRule(5), zome: 'A' }] }));
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringContaining('the nearest known name is "zone"'),
      expect.stringContaining('the nearest known name is "channels"'),
    ]);
  });

  it('tell the bounds of a value that is out of range, and write nothing', async () => {
    const before = await countWatches();
    const { body } = await post(newWatch({ latency_seconds: 0 }));
    expect(body.errors).toEqual([
      {
        pointer: '#/latency_seconds',
        detail: 'must be at least 1 and at most 86,400',
        min: 1,
        max: 86_400,
      },
    ]);
    expect(await countWatches()).toBe(before);
  });

  it.each([
    ['an empty string', ''],
    ['a blank', ' '],
    ['null', null],
    ['true', true],
    ['a list', []],
    ['hexadecimal', '0x10'],
    ['an exponent', '1e3'],
    ['full-width digits', '１００'],
    ['more than two decimals', 1.005],
    ['far too much', 1e21],
    ['thousands with a German comma', '1.226,00'],
    ['thousands with an English comma', '1,226.00'],
    ['thousands with a space', '1 226'],
    ['thousands with an apostrophe', "1'226"],
    ['nothing', 0],
    ['less than nothing', -5],
  ])('refuse a price that is %s, and name the field', async (_, price) => {
    const { status, body } = await post(newWatch({ rules: [levelRule(price)] }));
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(
      '#/rules/0/at_or_below',
    );
  });

  it.each([
    [3.01, 3.01],
    [0.1 + 0.2, 0.3],
    [19.99, 19.99],
    ['1226', 1226],
    [1226, 1226],
  ])('take the price %s as %s', async (price, read) => {
    const { status, body } = await post(
      newWatch({ rules: [levelRule(price)], name: `p${price}${typeof price}` }),
    );
    expect([status, body.rules[0].rule.at_or_below]).toEqual([201, read]);
  });

  it('find words for any junk in a rule, whatever field it stands in', () => {
    const junk = fc.oneof(fc.jsonValue(), fc.record({ conditions: fc.jsonValue() }));
    const fields = ['all_of', 'any_of', 'from', 'drops_by', 'matching', 'zone', 'within', 'rows'];
    const types = ['level', 'change', 'any_change', 'extreme', 'supply', 'fill_rate', 'listing'];
    const rule = fc
      .tuple(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom(...fields), fc.oneof(junk, fc.array(junk))),
      )
      .map(([type, rest]) => ({ type, metric: 'get_in', at_or_below: 5, ...rest }));
    fc.assert(
      fc.property(rule, (input) => {
        const body = { event_id: 1, rules: [input] };
        const parsed = newWatchSchema.safeParse(body);
        if (parsed.error) faultsIn(parsed.error, { schema: newWatchSchema, input: body });
      }),
      { numRuns: 500, seed: 8 },
    );
  });

  it('say nothing of an unexpected error', async () => {
    const broken = await startApi({
      searchEvents: async () => {
        throw new Error('secret detail');
      },
    });
    const { status, body, text } = await broken.call('/v1/events');
    await broken.stop();
    expect([status, body.type]).toEqual([500, 'urn:getin:problem:internal-error']);
    expect(text).not.toContain('secret');
  });

  it('tell a path that is not there from a method that it does not take', async () => {
    expect((await api.call('/v1/nothing')).status).toBe(404);
    const { status, headers } = await api.call('/v1/watches', { method: 'PUT', body: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET']);
  });

  it('name the methods of the path itself, where the path could also be an id', async () => {
    const { status, headers } = await api.call('/v1/watches/bulk');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each([
    ['no version', { method: 'PATCH' }],
    ['no JSON', { method: 'PUT', body: 'a=b', headers: { 'content-type': 'text/plain' } }],
    ['no key', { method: 'DELETE', key: '' }],
  ])('tell of a method that a path does not take before anything else: %s', async (_, sent) => {
    expect((await api.call('/v1/watches', sent)).status).toBe(405);
  });
});

describe('an answer about many faults', () => {
  it('lists the first hundred, and says how many there are', async () => {
    const odd = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`k${n}`, n]));
    const { body, text } = await api.call('/v1/owner', { method: 'PATCH', body: odd });
    expect(body.detail).toContain('(and 5999 more; the first 100 are listed)');
    expect([body.errors.length, text.length < 50_000]).toEqual([100, true]);
  });
});

describe('query parameters', () => {
  it('refuse unknown ones with the nearest name, and known ones given twice', async () => {
    const { status, body } = await api.call('/v1/channels?limt=5');
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          pointer: '#/limt',
          detail:
            'is not known; the nearest known name is "limit"; known are limit, starting_after',
        },
      ],
    ]);
    expect((await api.call('/v1/watches?limit=5&limit=6')).status).toBe(400);
    expect((await api.call('/v1/health?x=1', { key: '' })).status).toBe(400);
  });

  it.each(['0', '201', '-1', '1e1', '5.0', '', ' 5', '0x5'])(
    'refuse the limit "%s"',
    async (limit) => {
      const { status, body } = await api.call(`/v1/channels?limit=${encodeURIComponent(limit)}`);
      expect([status, body.errors[0]]).toMatchObject([
        400,
        { pointer: '#/limit', min: 1, max: 200 },
      ]);
    },
  );
});
