// An alert that has nothing to say after its price leaves no separator behind in a digest.
import { expect, it } from 'vitest';
import { httpFormOf } from '#shared/delivery/channels/channels.ts';
import { renderEmailHtml } from '#shared/delivery/channels/email-html.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { anAlert, firedAt, stopUrl } from '#test/support/alerts.ts';
import { receiverKinds } from '#test/support/receivers/hostile-messages.ts';
import { receiverPlaces } from '#test/support/receivers/places.ts';

const bare = { previousBase: null, askedLevel: null };
const told = [1, 2].map((eventId) => {
  const alert = anAlert({ ...bare, eventId, alertId: `alt_${eventId}` });
  return { alert, message: composeMessage(alert, { now: firedAt, timeZone: 'UTC' }) };
});
const message = alertsMessage(
  told.map((each) => each.message),
  { stopUrl },
);
const separator = /(^|•|\$74|Lower Bowl) *· *($|<)/m;

it.each(receiverKinds)('%s', (kind) => {
  const { receiver, target } = receiverPlaces[kind]();
  const outgoing = { deliveryId: 'dlv_1', dueAt: firedAt, message, told, heldFor: undefined };
  const form = httpFormOf(target);
  const answer = receiver.answer(form.request(outgoing, target, firedAt), firedAt);
  expect(form.judge(answer, firedAt).kind, answer.excerpt).toBe('sent');
  expect(receiver.messages[0]?.text).toContain('Lower Bowl');
  expect(receiver.messages[0]?.text).not.toMatch(separator);
});

it('email', () => {
  expect(renderEmailHtml(message)).not.toMatch(/· *(<br>|<\/p>)|(<br>|<p[^>]*>) *·/);
});
