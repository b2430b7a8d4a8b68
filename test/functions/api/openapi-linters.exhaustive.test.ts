// The linters load for seconds: `npm run lint:openapi` runs them alone.
import { expect, it } from 'vitest';
import { startApi } from '#test/support/api.ts';
import { lintOpenApi } from '#test/support/lint-openapi.ts';

it('passes both linters with their recommended rules, without a warning', async () => {
  const api = await startApi();
  const { body } = await api.call('/openapi.json', { key: '' });
  await api.stop();
  expect(await lintOpenApi(body)).toEqual([]);
});
