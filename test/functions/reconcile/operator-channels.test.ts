// The operator's channels follow the deployment: its address, and the secret of its webhook.
import { beforeEach, expect, it } from 'vitest';
import { createKeepOperatorChannels, operatorId } from '#functions/reconcile/operator-channels.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const first = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR';
const second = 'zyxwvutsrqponmlkjihgfedcbaABCDEFGHIJKLMNOPQR';

let tables: TestTables;
beforeEach(async () => {
  tables = await startTestTables();
  return () => tables.stop();
});

async function keep(email: string, webhook: string | Error): Promise<number> {
  const readWebhook = async () => {
    if (webhook instanceof Error) throw webhook;
    return webhook;
  };
  return createKeepOperatorChannels(tables.stores.channels, { email, readWebhook })(now);
}

const secretOf = (url: string, secret = first) => JSON.stringify({ url, secret });
const targets = async () => {
  const { rows } = await tables.stores.channels.list(operatorId, { limit: 10 });
  return rows.map(({ target }) => target).sort((a, b) => a.kind.localeCompare(b.kind));
};

it('makes a channel for each address, once, and signs with what the secret says', async () => {
  const webhook = secretOf('https://ops.example/hook');
  expect(await keep('ops@example.com', webhook)).toBe(2);
  expect(await keep('ops@example.com', webhook)).toBe(2);
  expect(await targets()).toEqual([
    { kind: 'email', address: 'ops@example.com' },
    {
      kind: 'webhook',
      url: 'https://ops.example/hook',
      secrets: [{ secret: `whsec_${first}`, expiresAt: null }],
    },
  ]);
});

it('knows a chat by its host', async () => {
  await keep('', secretOf('https://hooks.slack.com/services/T/B/x'));
  expect(await targets()).toEqual([
    { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x' },
  ]);
});

it('changes the channel with the address and with the secret, and takes it away', async () => {
  await keep('', secretOf('https://ops.example/hook'));
  await keep('', secretOf('https://ops.example/hook', second));
  expect(await targets()).toMatchObject([{ secrets: [{ secret: `whsec_${second}` }] }]);
  await keep('', secretOf('https://other.example/hook', second));
  expect(await targets()).toMatchObject([{ url: 'https://other.example/hook' }]);
  await keep('', secretOf('', second));
  expect(await targets()).toEqual([]);
});

it.each([
  ['can not be read', new Error('no secrets today')],
  ['is not of its shape', 'https://ops.example/hook'],
])('leaves every channel as it is while the secret %s', async (_, webhook) => {
  await keep('ops@example.com', secretOf('https://ops.example/hook'));
  await expect(keep('', webhook)).rejects.toThrow();
  expect(await targets()).toHaveLength(2);
});
