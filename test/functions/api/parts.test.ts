// The parts of the API, of which its function loads only those that requests ask for: they answer as the whole does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#functions/api/app.ts';
import { createLazyApp } from '#functions/api/lazy-app.ts';
import { methods } from '#functions/api/operation.ts';
import { part as whole } from '#functions/api/parts/whole.ts';
import { partAt, partRows } from '#functions/api/parts.ts';
import { type Api, startApi } from '#test/support/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const operations = () => whole.operations(api.deps);
const paths = () => [...new Set(operations().map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x')))];

describe('the part at a path', () => {
  it('has each operation of that path, and no other part has it', async () => {
    const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    const inParts = new Map<string, string[]>();
    for (const row of partRows) {
      const { part } = await row.load();
      if (part === whole) continue;
      for (const operation of part.operations(api.deps)) {
        expect(partAt(operation.path)).toBe(row);
        inParts.set(named(operation), [
          ...(inParts.get(named(operation)) ?? []),
          row.paths[0] ?? '',
        ]);
      }
    }
    const documents = ['get /openapi.json', 'get /docs'];
    const wanted = operations().map(named);
    expect([...inParts.keys(), ...documents].sort()).toEqual(wanted.sort());
    expect([...inParts].filter(([, places]) => places.length > 1)).toEqual([]);
  });

  it('has the pages behind links', async () => {
    const { part } = await partAt('/l/token').load();
    expect(part.pages).toBe(whole.pages);
  });

  it('is found by whole names of folders only', () => {
    expect(partAt('/v1/owners')).toBe(partAt('/v1/owner'));
    expect(partAt('/v1/watcheshop')).toBe(partAt('/nowhere'));
    expect(partAt('/v1/watches/')).toBe(partAt('/v1/watches'));
  });
});

describe('the API in parts', () => {
  const strange = ['/', '/v1', '/v1/', '/nowhere', '/v1/watches/', '/v1/%77atches', '/l', '/l/x/y'];

  it('answers each path and method as the whole does', async () => {
    const apps = [createLazyApp(api.deps), createApp(api.deps, whole)];
    const asked = [...paths(), '/l/x', ...strange].flatMap((path) =>
      [...methods, 'head', 'options'].map((method) => ({ path, method: method.toUpperCase() })),
    );
    for (const { path, method } of asked) {
      const answers = apps.map(async (app) => {
        const answer = await app.request(path, { method });
        const { status, headers } = answer;
        const said = [...headers].filter(([name]) => name !== 'x-request-id');
        const text = (await answer.text()).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
        return { path, method, status, said, text };
      });
      const [inParts, inOne] = await Promise.all(answers);
      expect(inParts).toEqual(inOne);
    }
  });

  it('answers its first requests at the same time', async () => {
    const app = createLazyApp(api.deps);
    const asked = ['/v1/health', '/v1/health', '/v1/watches', '/docs', '/v1/watches'];
    const answers = await Promise.all(asked.map((path) => app.request(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 200, 401]);
  });
});
