import { describe, expect, it } from 'vitest';
import { aListing, anEvent, openMarket } from './support/market.ts';

/** Strings that break parsers, indexes, keys or encoders somewhere. */
const oddStrings = [
  'a\0b',
  '\0',
  '\0\0\0\0',
  'kni\0cks"',
  '"',
  '"""',
  "'; DROP TABLE events; --",
  'a OR b NEAR c*',
  'event_name : x',
  '%',
  '___',
  '\\',
  '\u{d800}',
  'ab\u{dfff}c',
  '\u{feff}',
  'e\u{301}e\u{301}e\u{301}',
  '👩‍👩‍👧‍👦',
  '\u202e abc',
  '__proto__',
  'constructor',
  'NaN',
  '1e400',
  '-0',
  '99999999999999999999',
  ' \t\r\n ',
  'x'.repeat(60_000),
  '"'.repeat(2_000),
];

const generous = Object.fromEntries(
  ['account', 'usage', 'events_search', 'salesdata', 'sales', 'sales_batch']
    .concat(['listings', 'events_stats', 'daily_csv'])
    .map((bucket) => [bucket, { limit: 1e6, window_seconds: 60 }]),
);

function openOdd() {
  const faults: unknown[] = [];
  const market = openMarket({ rateLimits: generous, onFault: (error) => faults.push(error) });
  market.ingest.accept({ events: [anEvent(1, { event_name: 'knicks "a" \\ %_ é' })] });
  market.list([aListing(1)]);
  return { market, faults };
}

interface Described {
  method: string;
  path: string;
  parameters: { name: string; in: string }[];
  fields: string[];
}

/** Every operation for a caller of the API, with its parameters and body fields. */
async function describeOperations(): Promise<Described[]> {
  const document = (await openMarket().get('/openapi.json')).json;
  return Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const body = (operation as { requestBody?: { content: Record<string, unknown> } })
          .requestBody;
        const schema = JSON.stringify(body ?? {});
        const name = /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(schema)?.[1] ?? '';
        const fields = Object.keys(document.components.schemas[name]?.properties ?? {});
        return { method, path, parameters: operation.parameters ?? [], fields };
      }),
  );
}

function fill(path: string, job: string): string {
  return path.replace('{event_id}', '1').replace('{source}', 'sh').replace('{job_id}', job);
}

describe('an odd string', () => {
  it('in any query parameter is answered, never a fault', async () => {
    const { market, faults } = openOdd();
    for (const { method, path, parameters } of await describeOperations()) {
      for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
        for (const odd of oddStrings) {
          const query = new URLSearchParams({ [name]: odd.slice(0, 12_000) });
          const reply = await market.ask(`${fill(path, 'x')}?${query}`, { method });
          expect(reply.status, `${path} ${name} ${JSON.stringify(odd)}`).toBeLessThan(500);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('in any field of a body, or as the body, is answered, never a fault', async () => {
    const { market, faults } = openOdd();
    const asked = (await describeOperations()).filter(({ fields }) => fields.length > 0);
    expect(asked.length).toBeGreaterThanOrEqual(5);
    for (const { method, path, fields } of asked) {
      for (const odd of oddStrings) {
        const bodies = [odd, JSON.stringify(odd)].concat(
          fields.flatMap((field) => [
            JSON.stringify({ [field]: odd }),
            JSON.stringify({ [field]: [odd] }),
          ]),
        );
        for (const body of bodies) {
          const init = { method: method.toUpperCase(), body };
          const reply = await market.ask(fill(path, 'x'), init, market.keys.operator);
          expect(reply.status, `${path} ${body.slice(0, 80)}`).toBeLessThan(500);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('in a path or a key is answered, never a fault', async () => {
    const { market, faults } = openOdd();
    for (const odd of oddStrings) {
      const part = encodeURIComponent(odd.toWellFormed().slice(0, 5_000));
      for (const path of [
        `/v1/events/${part}/sales`,
        `/v0.4/events/event-request-status/${part}/`,
        `/operator/sources/${part}`,
        `/${part}`,
      ]) {
        const method = path.startsWith('/operator') ? 'PUT' : 'GET';
        const init = { method, ...(method === 'PUT' && { body: '{"status":"ok"}' }) };
        const reply = await market.ask(path, init, market.keys.operator);
        expect(reply.status, path.slice(0, 80)).toBeLessThan(500);
      }
    }
    const huge = await market.get(`/v1/events/${'9'.repeat(400)}/sales`);
    expect(huge).toMatchObject({ status: 404, json: { error: { code: 'event_not_found' } } });
    expect(faults).toEqual([]);
  });

  it('finds the events that contain it', async () => {
    const { market } = openOdd();
    for (const part of ['"a"', '\\', '%_', 'É', 'KNICKS "']) {
      const query = new URLSearchParams({ event_name: part });
      const { json } = await market.get(`/v1/events/search?${query}`);
      expect(json.data, part).toHaveLength(1);
    }
    const { json } = await market.get('/v1/events/search?event_name=kni%00cks');
    expect(json.data).toEqual([]);
  });
});
