// What bounces, complaints and the rest do to an address, over a real table.
import { beforeEach, describe, expect, it } from 'vitest';
import type { createMailFeedback } from '#functions/mail-feedback/mail-feedback.ts';
import { createDeliveryRig } from '#test/support/delivering.ts';
import { openMailFeedback } from '#test/support/mail-feedback.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const address = 'Ann@Example.com';

let tables: TestTables;
let verdicts: { kind: string; reason: string }[];
let feedback: ReturnType<typeof createMailFeedback>;

beforeEach(async () => {
  tables = await startTestTables();
  verdicts = [];
  feedback = openMailFeedback(await createDeliveryRig(tables.stores), (verdict) =>
    verdicts.push(verdict),
  );
  return () => tables.stop();
});

const bounce = (
  bounceType: string,
  bounceSubType: string,
  recipient: object = {},
  feedbackId = 'f-1',
) => ({
  eventType: 'Bounce',
  bounce: {
    bounceType,
    bounceSubType,
    feedbackId,
    bouncedRecipients: [{ emailAddress: address, ...recipient }],
  },
});
const reason = () => tables.stores.suppressions.reasonFor('ann@example.com');

describe('a bounce', () => {
  it.each([
    ['Permanent', 'General', {}, 'bounce'],
    ['Permanent', 'NoEmail', { status: '5.1.1' }, 'bounce'],
    ['Transient', 'General', { status: '5.3.0' }, 'bounce'],
    ['Transient', 'MailboxFull', { status: '5.2.2' }, undefined],
    ['Transient', 'General', { status: '4.4.7' }, undefined],
    ['Undetermined', 'Undetermined', {}, undefined],
    ['Transient', 'General', { diagnosticCode: 'Out of office until Monday' }, undefined],
    ['SomethingNew', 'Strange', {}, undefined],
  ])('%s/%s %j suppresses: %s', async (type, subType, recipient, expected) => {
    await feedback(bounce(type, subType, recipient), now);
    expect(await reason()).toBe(expected);
  });

  it('of a full mailbox suppresses the fifth time, and one that is told twice counts once', async () => {
    for (let time = 0; time < 9; time += 1) {
      await feedback(bounce('Transient', 'MailboxFull', {}, 'f-same'), now);
    }
    expect(await reason()).toBeUndefined();
    for (let time = 1; time <= 4; time += 1) {
      await feedback(bounce('Transient', 'MailboxFull', {}, `f-${time}`), now);
    }
    expect(await reason()).toBe('soft_bounces');
  });

  it('of an answering machine never adds up', async () => {
    const away = { diagnosticCode: 'smtp; vacation auto-reply' };
    for (let time = 0; time < 9; time += 1) {
      await feedback(bounce('Transient', 'General', away, `f-${time}`), now);
    }
    expect(await reason()).toBeUndefined();
  });
});

describe('a complaint', () => {
  it('suppresses at once, whatever kind it is of', async () => {
    const complaint = {
      complainedRecipients: [{ emailAddress: address }],
      complaintFeedbackType: null,
      feedbackId: 'c-1',
    };
    await feedback({ eventType: 'Complaint', complaint }, now);
    expect(await reason()).toBe('complaint');
  });
});

describe('the wrapping', () => {
  const detail = bounce('Permanent', 'General');

  it.each([
    ['EventBridge', { source: 'aws.ses', 'detail-type': 'Email Bounced', detail }],
    ['SNS', { Type: 'Notification', Message: JSON.stringify(detail) }],
    ['an old notification', { notificationType: 'Bounce', bounce: detail.bounce }],
  ])('may be that of %s', async (_, message) => {
    await feedback(message, now);
    expect(await reason()).toBe('bounce');
  });

  it('of an event that says nothing of an address is told and let go', async () => {
    await feedback({ eventType: 'DeliveryDelay' }, now);
    expect(verdicts).toEqual([{ kind: 'none', reason: 'DeliveryDelay' }]);
  });

  it('of something else is refused', async () => {
    await expect(feedback({ Type: 'Notification', Message: 'not json' }, now)).rejects.toThrow(
      'the SNS message is not JSON',
    );
    await expect(feedback('text', now)).rejects.toThrow('the message is no SES event');
  });
});
