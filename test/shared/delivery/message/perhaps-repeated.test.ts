// An alert that may repeat one from before a restore says so wherever it is read.
import { expect, it } from 'vitest';
import { alertPayload } from '#shared/delivery/message/alert-payload.ts';
import { composeMessage, factsOf } from '#shared/delivery/message/message.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';

const reading = { now: firedAt, timeZone: 'America/New_York' };
const repeat = anAlert({ mayRepeatSince: Date.parse('2026-03-01T11:00:00Z') });

it('the headline and the line of a digest end with it', () => {
  const { headline, detail } = composeMessage(repeat, reading);
  expect(headline).toMatch(/ · perhaps told before$/);
  expect(detail).toMatch(/, perhaps told before$/);
});

it('the message says why', () => {
  const facts = new Map(factsOf(composeMessage(repeat, reading)));
  expect(facts.get('Careful')).toBe(
    'You may have had this alert before: Getin was restored to its state of Mar 1, 6:00 AM EST.',
  );
});

it('both doubts are said', () => {
  const { doubt } = composeMessage({ ...repeat, loneListing: { confirmations: 1 } }, reading);
  expect(doubt).toMatch(/^One listing, far under the rest; .* You may have had this alert before/);
});

it('a program sees it', () => {
  const of = (alert: typeof repeat) => alertPayload(alert, composeMessage(alert, reading));
  expect([of(repeat).may_repeat, of(anAlert()).may_repeat]).toEqual([true, false]);
});

it('other alerts don’t have it', () => {
  const { headline, doubt } = composeMessage(anAlert(), reading);
  expect(headline).not.toContain('perhaps');
  expect(doubt).toBeUndefined();
});
