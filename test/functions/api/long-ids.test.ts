// Ids and paths that no table can have as a key: the answer is that nothing has them.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '#test/support/api.ts';

const tooLong = 'w'.repeat(2_100);
let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

describe('an id longer than any key', () => {
  it.each(['watches', 'channels', 'alerts', 'deliveries'])('is not found in %s', async (list) => {
    expect((await api.call(`/v1/${list}/${tooLong}`)).status).toBe(404);
  });

  it('is not found under an Idempotency-Key', async () => {
    const sent = { method: 'POST', headers: { 'idempotency-key': 'k' } };
    expect((await api.call(`/v1/watches/${tooLong}/pause`, sent)).status).toBe(404);
  });
});
