// One mail through SES, what SES's faults mean, and the pace that all senders keep together.
import { SESServiceException, type SendRawEmailCommand } from '@aws-sdk/client-ses';
import { simpleParser } from 'mailparser';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSendEmail } from '#functions/send-email/send-email.ts';
import { createSendRateReader } from '#functions/send-email/send-rate.ts';
import { newChannelSchema } from '#shared/delivery/channels/channels.ts';
import { newDelivery } from '#shared/delivery/delivery.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { createMailPace, mailWindow } from '#shared/delivery/pace.ts';
import { anAlert, firedAt, reading, stopUrl } from '#test/support/alerts.ts';
import { aChannel } from '#test/support/delivering.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const channel = aChannel({ target: { kind: 'email', address: 'ann@example.com' } });
const delivery = newDelivery(
  { deliveryId: 'dlv_1', purpose: 'alert', ownerId: 'o', channelId: 'c', channelKind: 'email' },
  { now: firedAt },
);
const alert = anAlert();
const message = composeMessage(alert, reading);
const prepared = {
  message: alertsMessage([message], { stopUrl }),
  told: [{ alert, message }],
  leftOut: [],
  heldFor: undefined,
};

function sender(answer: () => unknown, suppressed?: string) {
  const sent: SendRawEmailCommand['input'][] = [];
  const client = {
    send: async (command: SendRawEmailCommand) => {
      sent.push(command.input);
      return answer();
    },
  };
  const send = createSendEmail({
    client: client as never,
    sender: 'alerts@getin.example',
    configurationSet: 'getin',
    suppressionReason: async () => suppressed,
  });
  return { sent, send: () => send(prepared, channel, delivery) };
}

const fault =
  (name: string, message = name) =>
  () => {
    throw new SESServiceException({ name, $fault: 'client', $metadata: {}, message });
  };

describe('a mail', () => {
  it('goes to one recipient, under the configuration set, with the delivery in its Message-ID', async () => {
    const { sent, send } = sender(() => ({}));
    expect(await send()).toEqual({ kind: 'sent' });
    expect(sent[0]).toMatchObject({
      Source: 'alerts@getin.example',
      Destinations: ['ann@example.com'],
      ConfigurationSetName: 'getin',
      Tags: [
        { Name: 'channel', Value: channel.channelId },
        { Name: 'delivery', Value: 'dlv_1' },
      ],
    });
    const mail = await simpleParser(Buffer.from(sent[0]?.RawMessage?.Data ?? []));
    expect(mail.messageId).toBe('<dlv_1@getin.example>');
  });

  it('goes to nobody whose address is suppressed, and switches the channel off', async () => {
    const { sent, send } = sender(() => ({}), 'complaint');
    const outcome = { kind: 'failed', reason: 'address_complaint', channelIs: 'gone' };
    expect(await send()).toEqual(outcome);
    expect(sent).toEqual([]);
  });

  it.each([
    ['Throttling', { kind: 'throttled', reason: 'ses_throttling' }],
    ['MessageRejected', { kind: 'failed', reason: 'MessageRejected', isOurs: true }],
    ['AccountSendingPaused', { kind: 'retry', reason: 'AccountSendingPaused', isOurs: true }],
    ['ServiceUnavailable', { kind: 'retry', reason: 'ServiceUnavailable', isOurs: true }],
  ])('that meets %s is %j', async (name, outcome) => {
    expect(await sender(fault(name)).send()).toEqual(outcome);
  });

  it.each([
    ['Missing start boundary', { kind: 'failed', reason: 'InvalidParameterValue', isOurs: true }],
    ['Local address contains control or whitespace', { kind: 'failed', reason: 'address_refused' }],
  ])('that SES can’t read is our fault, but for its address (%s)', async (said, outcome) => {
    expect(await sender(fault('InvalidParameterValue', said)).send()).toEqual(outcome);
  });
});

describe('an address', () => {
  it.each(['a@b.c\r\nCc: x@y.z', '"x" <a@b.c>, d@e.f', 'a@b.c, d@e.f', 'a b@c.d', '@b.c', 'a@b'])(
    '%j is no channel',
    (address) => {
      expect(newChannelSchema.safeParse({ kind: 'email', address }).success).toBe(false);
    },
  );
});

describe('the pace', () => {
  let tables: TestTables;
  beforeEach(async () => {
    tables = await startTestTables();
    return () => tables.stop();
  });

  it.each([
    [14, { windowMs: 500, ceiling: 5 }],
    [50, { windowMs: 500, ceiling: 18 }],
    [1, { windowMs: 1_334, ceiling: 1 }],
  ])('of an account with %i a second leaves room below its quota: %j', (rate, window) => {
    expect(mailWindow(rate)).toEqual(window);
  });

  it('of two senders together is that of one: 60 mails at 14 a second, none beyond ten in a second', async () => {
    const starts: number[] = [];
    const senderOf = () =>
      createMailPace({
        tallies: tables.stores.tallies,
        readSendRate: async () => 14,
        wait: async (ms) => {
          starts.push(firedAt + ms);
        },
        random: () => 0,
      });
    const senders = [senderOf(), senderOf()];
    const turns = await Promise.all(
      Array.from({ length: 60 }, (_, index) => senders[index % 2]?.(channel, firedAt)),
    );
    const atOnce = turns.filter((until) => until === undefined).length - starts.length;
    const seconds = Map.groupBy(starts, (at) => Math.floor((at - firedAt) / 1_000));
    expect(atOnce).toBe(5);
    expect(turns.filter((until) => until !== undefined)).toEqual([]);
    expect(Math.max(...[...seconds.values()].map((all) => all.length))).toBeLessThanOrEqual(10);
  });

  it('puts a mail off when the next seconds are full', async () => {
    const pace = createMailPace({
      tallies: tables.stores.tallies,
      readSendRate: async () => 2,
      wait: async () => {},
      random: () => 0.5,
    });
    const turns = await Promise.all(Array.from({ length: 20 }, () => pace(channel, firedAt)));
    const putOff = turns.filter((until) => until !== undefined);
    expect(putOff.length).toBeGreaterThan(0);
    expect(Math.min(...putOff)).toBeGreaterThanOrEqual(firedAt + 8_000);
  });

  describe('of the account', () => {
    /** SES with answers in turn; undefined fails. */
    function aSes(answers: (number | undefined)[]) {
      const ses = {
        asked: 0,
        send: async () => {
          ses.asked += 1;
          const MaxSendRate = answers[ses.asked - 1];
          if (MaxSendRate === undefined) throw new Error('no');
          return { MaxSendRate };
        },
      };
      return ses;
    }
    const sender = (ses: ReturnType<typeof aSes>, now: () => number) =>
      createSendRateReader({ client: ses as never, mailRate: tables.stores.mailRate, now });

    it('is read rarely, and stays what it was while SES does not answer', async () => {
      let now = firedAt;
      const ses = aSes([undefined, 14, undefined, 50]);
      const read = sender(ses, () => now);
      // The sandbox's, which every account has.
      expect(await Promise.all([read(), read()])).toEqual([1, 1]);
      now += 30_000;
      expect([await read(), await read()]).toEqual([14, 14]);
      now += 600_000;
      expect([await read(), await read()]).toEqual([14, 14]);
      expect(ses.asked).toBe(3);
      now += 30_000;
      expect(await read()).toBe(50);
    });

    it('is asked by one of all senders, and a new sender has it at once', async () => {
      const now = () => firedAt;
      const ses = aSes([14]);
      const senders = Array.from({ length: 5 }, () => sender(ses, now));
      await Promise.all(senders.map((read) => read()));
      const newSender = sender(aSes([]), now);
      expect([ses.asked, await newSender()]).toEqual([1, 14]);
    });

    it('is the last good one for a sender that starts while SES does not answer', async () => {
      await sender(aSes([14]), () => firedAt)();
      const later = firedAt + 700_000;
      const ses = aSes([]);
      const read = sender(ses, () => later);
      expect([await read(), await read(), ses.asked]).toEqual([14, 14, 1]);
    });
  });
});
