import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookReceiver } from '#infra/local/demo/webhook-receiver.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/fixture-assembly.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify({ type: 'alert.fired', data: { headline: '<b>Knicks</b> & more' } });

let folder: TemporaryFolder;
let receiver: WebhookReceiver;
let address: string;

beforeEach(async () => {
  folder = temporaryFolder();
  receiver = new WebhookReceiver(join(folder.path, 'secrets.json'));
  address = await receiver.listen(0);
});
afterEach(async () => {
  await receiver.stop();
  folder.remove();
});

function post(signedWith: string, to = address): Promise<Response> {
  const sentAt = new Date();
  return fetch(to, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'dlv_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(signedWith).sign('dlv_1', sentAt, body),
    },
  });
}

async function posts() {
  const seen = JSON.parse(await (await fetch(address)).text());
  return seen.posts as { verified: boolean; webhook_id: string; body: unknown }[];
}

describe('the webhook receiver', () => {
  it('accepts and shows posts signed with a trusted secret', async () => {
    receiver.trust(secret);
    expect((await post(secret)).status).toBe(204);
    expect(await posts()).toMatchObject([
      { verified: true, webhook_id: 'dlv_1', body: { type: 'alert.fired' } },
    ]);
  });

  it('refuses a signature by another secret, and shows the refusal', async () => {
    receiver.trust(secret);
    expect((await post('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).status).toBe(401);
    expect(await posts()).toMatchObject([{ verified: false }]);
  });

  it('keeps its secrets after a restart', async () => {
    receiver.trust(secret);
    const restarted = new WebhookReceiver(join(folder.path, 'secrets.json'));
    const to = await restarted.listen(0);
    expect((await post(secret, to)).status).toBe(204);
    await restarted.stop();
  });

  it('shows posts as text, whatever they contain', async () => {
    receiver.trust(secret);
    await post(secret);
    const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('&lt;b&gt;Knicks&lt;/b&gt; &amp; more');
    expect(page).not.toContain('<b>Knicks');
  });
});
