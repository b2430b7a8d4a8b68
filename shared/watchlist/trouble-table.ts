// Every trouble of a watch, one row each: its severity, its text, how it ends. The API document is generated
// from this table, so a new trouble needs only a new row.

/** `silent`: no alert arrives while it lasts. `degraded`: some alerts are missing or late. */
export const severities = ['silent', 'degraded'] as const;
export type Severity = (typeof severities)[number];

export interface TroubleRow {
  severity: Severity;
  /** A plain sentence; each {name} is replaced. */
  text: string;
  /** How the trouble ends, and what the owner can do. */
  ends: string;
  /** Whether the owner or the end of the event has made it so, and nothing is wrong. @default false */
  isExpected?: boolean;
}

export const troubleTable = {
  event_over: {
    severity: 'silent',
    text: '{event} is over. The watch has ended with its event and costs nothing more.',
    ends: 'It continues by itself if the event gets a later date.',
    isExpected: true,
  },
  bought: {
    severity: 'silent',
    text: 'You bought a ticket for {event}, so the watch has ended and costs nothing more.',
    ends: 'Resume it with POST /v1/watches/{id}/resume, or by the link in the message.',
    isExpected: true,
  },
  paused: {
    severity: 'silent',
    text: 'The watch is paused: nothing is polled for it, and it raises no alert.',
    ends: 'Resume it with POST /v1/watches/{id}/resume.',
    isExpected: true,
  },
  snoozed: {
    severity: 'silent',
    text: 'The watch is snoozed until {until}: its alerts are recorded and not sent.',
    ends: 'It ends at that time, or with POST /v1/watches/{id}/snooze and "until": null.',
    isExpected: true,
  },
  watch_set_aside: {
    severity: 'silent',
    text: 'The watch could not be evaluated since {since}: {reason}.',
    ends: 'It is retried by itself at {retry_at}, and at once when the watch is changed.',
  },
  no_usable_channel: {
    severity: 'silent',
    text: 'No channel of the watch can get an alert at present. While the watch is active it is still polled, and its pulls count against your budget.',
    ends: 'Repair one of its channels, or give the watch another channel with PATCH /v1/watches/{id}. To save the pulls, pause it with POST /v1/watches/{id}/pause.',
  },
  channel_deleted: {
    severity: 'degraded',
    text: 'Channel {channel} has been deleted.',
    ends: 'Give the watch other channels with PATCH /v1/watches/{id}.',
  },
  channel_unverified: {
    severity: 'degraded',
    text: 'Channel {channel}: its address has not been confirmed yet, so nothing is sent to it.',
    ends: 'It ends when the reader follows the link in the confirmation mail; POST /v1/channels/{id}/confirmation sends it again.',
  },
  channel_disabled: {
    severity: 'degraded',
    text: 'Channel {channel} is switched off ({reason}), so nothing is sent to it.',
    ends: 'Send a test with POST /v1/channels/{id}/test; a test that arrives switches the channel on again.',
  },
  channel_unsubscribed: {
    severity: 'degraded',
    text: 'Channel {channel}: its reader has unsubscribed, so nothing is sent to it.',
    ends: 'Only the reader can undo it, by the link in any earlier message.',
  },
  channel_suppressed: {
    severity: 'degraded',
    text: 'Channel {channel}: no mail can be sent to its address since {since}, because {reason}.',
    ends: 'The channel’s field "blocked" says who can lift the block, and how.',
  },
  channel_muted: {
    severity: 'degraded',
    text: 'Channel {channel}: its reader has stopped or snoozed the alerts of this watch there, {until}.',
    ends: 'Undo it with POST /v1/channels/{id}/unmute; the reader can undo it by the same link.',
  },
  channel_failing: {
    severity: 'degraded',
    text: 'Channel {channel} has failed since {since}, {failures} times in a row; the last reason is {reason}.',
    ends: 'Messages are retried by themselves. Check the receiver, and send a test with POST /v1/channels/{id}/test.',
  },
  rule_set_aside: {
    severity: 'silent',
    text: 'The rule "{rule}" could not be evaluated since {since}: {reason}.',
    ends: 'It is retried by itself at {retry_at}, and at once when the rule is changed.',
  },
  rule_expired: {
    severity: 'silent',
    text: 'The rule "{rule}" has expired at {at}, so it raises no alert.',
    ends: 'Give the rule a later "expires_at" with PATCH /v1/watches/{id}, or remove it.',
  },
  start_unknown: {
    severity: 'silent',
    text: 'The rule "{rule}" waits for the days before {event}, and the start of {event} is not known.',
    ends: 'It ends by itself when the catalog has the date and time. To be alerted before that, remove "within_days_of_event" from the rule.',
  },
  stored_item_unreadable: {
    severity: 'silent',
    text: 'The stored {what} is damaged.',
    ends: 'Make the watch again, or tell the operator; the cause is in the logs.',
  },
  zone_unknown: {
    severity: 'degraded',
    text: 'Zone "{zone}" has no listing at present, or the event no longer has it.',
    ends: 'It ends when the zone is listed again. If it was renamed, change the rule.',
  },
  feed_not_found: {
    severity: 'silent',
    text: 'The marketplace no longer knows {event}: it may have been cancelled, moved or merged.',
    ends: 'It continues by itself if the marketplace has the event again. If it was merged, search for the event and make a new watch.',
  },
  feed_missing: {
    severity: 'silent',
    text: 'The marketplace has answered since {since} that it does not know {event}.',
    ends: 'The marketplace is asked again for a day. You get a message if the event stays unknown.',
  },
  feed_empty: {
    severity: 'silent',
    text: 'The marketplace has no {feed} of {event} yet.',
    ends: 'It ends by itself with the first data. Check that the watch names the right event.',
  },
  feed_ended: {
    severity: 'silent',
    text: 'Polling of the {feed} of {event} has ended, since its date has passed.',
    ends: 'It continues by itself if the event gets a later date.',
    isExpected: true,
  },
  feed_idle: {
    severity: 'silent',
    text: 'The {feed} of {event} {is} not polled at present.',
    ends: 'It begins within minutes by itself. If it does not, pause and resume the watch.',
  },
  feed_overdue: {
    severity: 'silent',
    text: 'The {feed} of {event} should have been polled at {since} and {has} not been yet.',
    ends: 'It ends with the next poll. GET /v1/budget shows whether the pulls of the day or period are used up.',
  },
  feed_failing: {
    severity: 'silent',
    text: 'The {feed} of {event} could not be read {failures} times in a row.',
    ends: 'It is retried by itself, and you get a message when it works again.',
  },
  feed_stale: {
    severity: 'degraded',
    text: 'The {feed} of {event} {has} not changed for {hours} hours, far longer than usual.',
    ends: 'It ends with the next change of the market.',
  },
  feed_set_aside: {
    severity: 'degraded',
    text: 'A part of the {feed} of {event} has been left out since {since}: {reason}.',
    ends: 'It is retried by itself at {retry_at}.',
  },
  evaluation_behind: {
    severity: 'silent',
    text: 'New {feed} of {event} since {since} {has} not been evaluated yet.',
    ends: 'The evaluation catches up by itself, in order; alerts come late and are not lost.',
  },
  budget_stretched: {
    severity: 'degraded',
    text: 'Polls are spaced wider to stay within the pull budget: alerts may come later than your latency.',
    ends: 'It ends when the budget has room again, at the latest with the next day or billing period.',
  },
  market_paused: {
    severity: 'silent',
    text: 'Polling is paused for every watch: {reason}.',
    ends: 'The operator has been notified. Polling resumes by itself when the marketplace accepts calls again; no data is lost.',
  },
  marketplace_down: {
    severity: 'silent',
    text: 'The marketplace does not answer, so all polling waits.',
    ends: 'It is retried by itself. Alerts come late; no stats are lost.',
  },
} as const satisfies Record<string, TroubleRow>;

export type TroubleCode = keyof typeof troubleTable;

/** The codes in the order of the table. */
export const troubleCodes = Object.keys(troubleTable) as TroubleCode[];

/** One trouble of one watch. */
export interface Trouble {
  code: TroubleCode;
  severity: Severity;
  /** Whether the owner or the end of the event has made it so, and nothing is wrong. */
  expected: boolean;
  text: string;
  ends: string;
}

/** A trouble with its names filled in. A name without a value stays as {name}. */
export function trouble(code: TroubleCode, details: Record<string, string | number> = {}): Trouble {
  const { severity, text, ends, isExpected: expected = false }: TroubleRow = troubleTable[code];
  const filled = (sentence: string) =>
    sentence.replaceAll(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(details, name) ? String(details[name]) : written,
    );
  return { code, severity, expected, text: filled(text), ends: filled(ends) };
}
