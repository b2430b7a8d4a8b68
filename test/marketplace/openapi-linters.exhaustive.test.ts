// The linters load for seconds: `npm run lint:openapi` runs them alone.
import { expect, it } from 'vitest';
import { lintOpenApi } from '#test/support/lint-openapi.ts';
import { openMarket } from './support/market.ts';

it('passes both linters with their recommended rules, but for one path of the original', async () => {
  const path = 'event-request-status';
  const exceptions = [
    { rule: 'no-path-trailing-slash', path },
    { rule: 'path-keys-no-trailing-slash', path },
  ];
  const response = await openMarket().request('/openapi.json');
  expect(await lintOpenApi(await response.json(), exceptions)).toEqual([]);
});
