import { describe, expect, it } from 'vitest';
import { matchRoute } from '#infra/local/triggers/route-table.ts';

const routes = [
  '$default',
  'ANY /{proxy+}',
  'GET /v1/watches',
  'ANY /v1/watches',
  'GET /v1/watches/{id}',
  'GET /v1/watches/mine',
  'ANY /v1/{rest+}',
].map((routeKey) => ({ routeKey, target: routeKey }));

function match(method: string, path: string) {
  const found = matchRoute(routes, method, path);
  return [found?.route.routeKey, found?.pathParameters];
}

describe('the route of a request', () => {
  it.each([
    ['GET', '/v1/watches', 'GET /v1/watches', {}],
    ['POST', '/v1/watches', 'ANY /v1/watches', {}],
    ['GET', '/v1/watches/wat_1', 'GET /v1/watches/{id}', { id: 'wat_1' }],
    ['GET', '/v1/watches/mine', 'GET /v1/watches/mine', {}],
    ['GET', '/v1/watches/a%20b', 'GET /v1/watches/{id}', { id: 'a b' }],
    ['GET', '/v1/watches/%zz', 'GET /v1/watches/{id}', { id: '%zz' }],
    ['DELETE', '/v1/watches/wat_1', 'ANY /v1/{rest+}', { rest: 'watches/wat_1' }],
    ['GET', '/elsewhere/x', 'ANY /{proxy+}', { proxy: 'elsewhere/x' }],
    ['GET', '/', '$default', {}],
  ])('%s %s is %s', (method, path, routeKey, parameters) => {
    expect(match(method, path)).toEqual([routeKey, parameters]);
  });

  it('is none when nothing matches and there is no $default', () => {
    expect(matchRoute([{ routeKey: 'GET /a', target: 1 }], 'GET', '/b')).toBeUndefined();
  });
});
