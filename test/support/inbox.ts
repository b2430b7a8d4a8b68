// The SES of the local run, with its inbox, for tests that send real mails to it and read them in a browser.
import { SESClient } from '@aws-sdk/client-ses';
import { createSendEmail } from '#functions/send-email/send-email.ts';
import { type SesOptions, startSes } from '#infra/local/emulators/ses.ts';
import type { Send } from '#shared/delivery/attempt.ts';

const place = { region: 'us-east-1', accountId: '000000000000' };

export interface Inbox {
  /** Its address, as `npm start` prints it. */
  url: string;
  client: SESClient;
  /** Sends a message as send-email does. */
  send: Send;
  stop(): Promise<void>;
}

export async function startInbox(
  keeping: Pick<SesOptions, 'mailFile' | 'now'> = {},
): Promise<Inbox> {
  const { url, stop } = await startSes({
    port: 0,
    access: { service: 'ses', ...place, onDenied: () => {} },
    ...keeping,
  });
  // The emulator's own store belongs to the process, which other test files use too.
  await fetch(`${url}/clear-store`, { method: 'POST' });
  const client = new SESClient({
    endpoint: url,
    region: place.region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const send = createSendEmail({
    client,
    sender: 'Getin <alerts@getin.example>',
    configurationSet: undefined,
    suppressionReason: async () => undefined,
  });
  return {
    url,
    client,
    send,
    stop: async () => {
      client.destroy();
      await stop();
    },
  };
}
