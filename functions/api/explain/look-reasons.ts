// Why a rule did or did not speak at a look, one row each: the API document is generated from this table, so a
// new reason needs only a new row. Each {name} is replaced.

export const lookReasonTable = {
  alerted: 'An alert was raised.',
  recovered: 'The message that the number went back was raised, and the rule is armed again.',
  rearmed: 'The number was back at {rearm} or beyond, so the rule is armed again.',
  first_look:
    'The first look since the rule was made or changed: from now on it waits for its level.',
  already_true: 'Already true at the first look, so it waits until the level is crossed again.',
  not_reached: 'Armed, and the level was not reached.',
  told_already:
    'Its alert was raised before; it is armed again when the number is back at {rearm}.',
  cool_down: 'Reached, but the cool-down of the rule lasted until {until}.',
  daily_limit: 'Reached, but the rule had raised its {most} alerts of 24 hours, until {until}.',
  needs_snapshots: 'Reached; it needed {needed} more snapshots in a row.',
  implausible: 'The price jumped so far that it may be mis-keyed, so the next snapshot decided.',
  not_confirmed: 'Reached before, and this snapshot did not confirm it.',
  no_value: 'There was no value: {what}.',
  nothing_to_compare: 'No earlier value was known to compare it with.',
  history_short: 'Reached, but only {covered} of the {needed} that its window needs were known.',
  condition_not_met: 'Reached, but a condition was not met: {condition}.',
  too_early: 'Reached, but the event was still too far away for the rule.',
  already_announced: 'Reached, but an earlier alert had named the cheapest match already.',
  out_of_order: 'The snapshot was published late, when the rule had already seen a newer one.',
  rule_expired: 'The rule had expired.',
  event_over: 'The event had begun.',
  paused: 'The watch was paused, or had ended.',
  set_aside: 'The rule could not be evaluated: {fault}.',
  not_evaluated: 'Stored, and not evaluated yet: an alert may still come.',
  unknown:
    'By its present rules the watch should have alerted, and no alert is stored: the watch or the state of its rule was different then.',
} as const satisfies Record<string, string>;

export type LookReason = keyof typeof lookReasonTable;

export const lookReasons = Object.keys(lookReasonTable) as LookReason[];

/** Why no poll came for a while. */
export const gapReasonTable = {
  budget_stretched: 'The pull budget made the polls rarer.',
  budget_turn: 'The pull budget made the polls rarer, and the next was worth a pull then: {why}.',
  polls_failed: '{failures} polls failed.',
  market_closed: 'Polling waited for the marketplace, for every watch.',
  out_of_reach: 'The prices in the stats showed that no listing could reach a rule.',
  not_taken:
    'The poll was due and was not sent: the pulls or the calls of that time were used up, or the system was behind.',
} as const satisfies Record<string, string>;

export type GapReason = keyof typeof gapReasonTable;

export const gapReasons = Object.keys(gapReasonTable) as GapReason[];

/** Why nothing is known of a rule before a time. */
export const knownFromTable = {
  range: 'The range begins there.',
  rule_made: 'The rule was made then.',
  version_gone: 'The watch was changed then, and what it was before is not kept.',
  most_looks: 'One answer looks at no more snapshots: ask for an earlier range.',
  first_snapshot:
    'No earlier snapshot is stored: the event was not polled, or it is over 90 days ago.',
} as const satisfies Record<string, string>;

export type KnownFromReason = keyof typeof knownFromTable;

export const knownFromReasons = Object.keys(knownFromTable) as KnownFromReason[];

/** A reason of one of the tables with the values of its words. */
export interface Reason<Code extends string = LookReason> {
  code: Code;
  values: Readonly<Record<string, string>>;
}

/** The sentence of a reason. */
export function reasonText<Code extends string>(
  table: Readonly<Record<Code, string>>,
  { code, values }: Reason<Code>,
): string {
  return table[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** The rows of a table for the API document. */
export function reasonRows(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([code, text]) => `- \`${code}\`: ${text}`)
    .join('\n');
}
