// Why a message was held, failed or was not sent, in words. Each completes "because" or stands alone.

const reasons: Readonly<Record<string, string>> = {
  quiet_hours: 'quiet hours',
  digest: 'kept for your digest',
  cool_down: 'the rule’s pause after an alert',
  cap: 'the limit of a day was reached',
  snoozed: 'snoozed',
  muted: 'its reader stopped this watch there',
  no_channel: 'the watch has no channel',
  superseded: 'it was no longer true',
  too_old: 'it was too old by then',
  alert_gone: 'the alert was deleted',
  merged: 'sent together with others',
  owner_deleted: 'everything is being deleted',
  channel_gone: 'the channel was deleted',
  channel_disabled: 'the channel is switched off',
  channel_unverified: 'its reader has not agreed yet',
  channel_unsubscribed: 'its reader has unsubscribed',
  channel_throttled: 'the channel took no more messages',
  attempts_exhausted: 'given up after ten tries',
  throttled: 'the receiver asked us to wait',
  receiver_busy: 'other messages to it go first',
  breaker_open: 'it failed several times, so we wait',
  timeout: 'it did not answer in time',
  connection_refused: 'it refused the connection',
  connection_closed: 'it closed the connection',
  name_not_found: 'its address was not found',
  name_not_resolved: 'its address was not found',
  network_error: 'it was not reached',
  tls_certificate: 'its certificate is not valid',
  address_not_public: 'its address is not public',
  answer_not_understood: 'its answer was not clear',
  damaged_delivery: 'the stored message is damaged',
  address_bounce: 'mail to it came back',
  address_soft_bounces: 'its mailbox refused several mails',
  address_complaint: 'its reader reported a mail as spam',
  address_refused: 'the mail service refused the address',
  by_owner: 'you switched it off',
};

/** A code that the desk doesn't know is shown as the API has it, with spaces. */
export function reasonWords(code: string): string {
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (known !== undefined) return known;
  const [, kind, status] = /^(http|redirect)_(\d{3})$/.exec(code) ?? [];
  if (kind === 'http') return `it answered with HTTP ${status}`;
  if (kind === 'redirect') return `it redirected with HTTP ${status}`;
  return code.replaceAll('_', ' ');
}
