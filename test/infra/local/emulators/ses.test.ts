import { join } from 'node:path';
import { GetSendQuotaCommand, type SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Inbox, startInbox } from '#test/support/inbox.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/fixture-assembly.ts';

let folder: TemporaryFolder;
let inbox: Inbox;

beforeEach(async () => {
  folder = temporaryFolder();
  inbox = await startInbox({ mailFile: join(folder.path, 'inbox.db') });
});
afterEach(async () => {
  await inbox.stop();
  folder.remove();
});

function sendRaw(client: SESClient, raw: string) {
  const RawMessage = { Data: Buffer.from(raw) };
  return client.send(new SendRawEmailCommand({ Source: 'alerts@getin.example', RawMessage }));
}

async function subjectsIn(path: '/store' | '/inbox/mails'): Promise<string[]> {
  const answer = (await (await fetch(`${inbox.url}${path}`)).json()) as Record<
    string,
    { subject: string }[]
  >;
  return (answer.emails ?? answer.mails ?? []).map(({ subject }) => subject);
}

const aMail =
  'From: alerts@getin.example\r\nTo: ann@example.com\r\nSubject: Knicks\r\n\r\nget-in $74\r\n';

describe('the local SES', () => {
  it('has an accepted mail at /store and in the inbox, there as it was sent', async () => {
    await sendRaw(inbox.client, aMail);
    expect(await subjectsIn('/store')).toEqual(['Knicks']);
    expect(await subjectsIn('/inbox/mails')).toEqual(['Knicks']);
    expect(await (await fetch(`${inbox.url}/inbox/mails/1/source`)).text()).toBe(aMail);
  });

  it('has after a restart what the inbox kept', async () => {
    await sendRaw(inbox.client, aMail);
    await inbox.stop();
    inbox = await startInbox({ mailFile: join(folder.path, 'inbox.db') });
    expect(await subjectsIn('/store')).toEqual([]);
    expect(await subjectsIn('/inbox/mails')).toEqual(['Knicks']);
  });

  it('keeps no mail that it refuses', async () => {
    const body = new URLSearchParams({ Action: 'SendRawEmail' });
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=test/' };
    const answer = await fetch(inbox.url, { method: 'POST', body, headers });
    expect(answer.status).toBe(400);
    expect(await subjectsIn('/inbox/mails')).toEqual([]);
  });

  it('keeps a mail of several megabytes', async () => {
    // Not by the SDK, whose encoding of so long a text takes a stack that a worker may not have.
    const large = Buffer.from(`${aMail}${'seat '.repeat(1_000_000)}`);
    const body = new URLSearchParams({
      ...{ Action: 'SendRawEmail', Source: 'alerts@getin.example' },
      'RawMessage.Data': large.toString('base64'),
    });
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=test/' };
    expect((await fetch(inbox.url, { method: 'POST', body, headers })).status).toBe(200);
    const source = await (await fetch(`${inbox.url}/inbox/mails/1/source`)).text();
    expect(source.length).toBe(aMail.length + 5_000_000);
  });

  it('answers the quota that the senders keep to', async () => {
    expect(await inbox.client.send(new GetSendQuotaCommand({}))).toMatchObject({
      Max24HourSend: 1_000_000,
      MaxSendRate: 1_000,
    });
  });

  it('clears only its own store for a program that asks for it', async () => {
    await sendRaw(inbox.client, aMail);
    await fetch(`${inbox.url}/clear-store`, { method: 'POST' });
    expect(await subjectsIn('/store')).toEqual([]);
    expect(await subjectsIn('/inbox/mails')).toEqual(['Knicks']);
  });
});
