/**
 * The closed table of rule kinds and modifiers: what each modifier does to each kind, or why it is refused.
 * Validation, compilation and the sentence read it; README.md prints it. Checks no amounts
 * (modifier-faults.ts).
 */

/** Rules that differ in what a modifier does, with the words for them. */
export const ruleKinds = {
  level: 'level',
  window_percent: 'change in percent from a window',
  window_amount: 'change by an amount from a window',
  previous_snapshot: 'change from `previous_snapshot`',
  last_alert: 'change from `last_alert`',
  watch_start: 'change from `watch_start`',
  any_change: 'any_change',
  extreme: 'extreme',
  supply: 'supply with a number',
  supply_matching: 'supply with a number, `matching`',
  becomes: 'supply with `becomes`',
  becomes_matching: 'supply with `becomes`, `matching`',
  fill_rate: 'fill_rate',
  listing: 'listing',
} as const;
export type RuleKind = keyof typeof ruleKinds;
export const ruleKindNames = Object.keys(ruleKinds) as RuleKind[];

/** `does`: the promise that the sentence makes. `refused`: the fault, which names what to use instead. */
export type Cell = { does: string } | { refused: string };
type Row = Record<RuleKind, Cell>;

const does = (text: string): Cell => ({ does: text });
const refused = (text: string): Cell => ({ refused: text });

/** One cell for every kind, except these. */
function row(usual: Cell, ...exceptions: [Cell, ...RuleKind[]][]): Row {
  const cells = ruleKindNames.map((kind): [RuleKind, Cell] => {
    const own = exceptions.find(([, ...kinds]) => kinds.includes(kind));
    return [kind, own?.[0] ?? usual];
  });
  return Object.fromEntries(cells) as Row;
}

const oneOff = ['previous_snapshot', 'any_change', 'extreme', 'listing'] as const;
const ofListings = ['supply_matching', 'becomes_matching', 'listing'] as const;
const becoming = ['becomes', 'becomes_matching'] as const;

const noRearm: [Cell, ...RuleKind[]][] = [
  [
    refused(
      'has no effect here: the rule stays armed, and each new change or listing counts; to limit its alerts use cool_down_minutes or at_most_per_day',
    ),
    ...oneOff,
  ],
  [
    refused(
      'has no effect on a change from last_alert, which is armed again a step beyond each alert; to limit its alerts use cool_down_minutes or at_most_per_day',
    ),
    'last_alert',
  ],
  [
    refused(
      'has no effect beside becomes, which re-arms at the opposite change; to limit its alerts use cool_down_minutes or at_most_per_day',
    ),
    ...becoming,
  ],
];

const noMissingData = refused(
  'is allowed only for rules on stats: for listings, no match is a value, not missing data',
);
const alertsOnGap = 'one more alert when the value is missing; it needs no condition';
const condition = 'no alert while the conditions do not hold';

/** The columns by modifier; a modifier with several values has a row per value that is not the default. */
export const modifierTable = {
  all_of: row(does(condition)),
  any_of: row(does(condition)),
  urgent: row(does('the alert ignores digests and quiet hours')),
  'when_already_true: fire': row(
    does('already true when made: one alert at once'),
    [does('the last change when made: one alert at once'), ...oneOff.slice(0, 3)],
    [
      refused(
        'can’t be fire for a change from last_alert or watch_start: it is measured from the first value, so it is never already true; leave it out',
      ),
      'last_alert',
      'watch_start',
    ],
  ),
  'when_already_true: wait': row(
    does('already true when made: no alert before the next crossing'),
    [does('the last change when made: no alert'), ...oneOff.slice(0, 3)],
    [does('the default: the first value is the baseline'), 'last_alert', 'watch_start'],
    [does('listings that exist when it is made: no alert'), 'listing'],
  ),
  'on_no_data: alert': row(does(alertsOnGap), [noMissingData, ...ofListings]),
  'on_no_data: clear': row(
    does('re-arms when the value is missing'),
    [
      refused(
        'can’t be clear here: the rule stays armed, so there is nothing to re-arm; use keep, or alert to be told of missing data',
      ),
      'previous_snapshot',
      'last_alert',
      'any_change',
      'extreme',
    ],
    [noMissingData, ...ofListings],
  ),
  confirmations: row(
    does('alerts at the n-th new snapshot in a row that reaches it'),
    [
      does('alerts at the n-th new snapshot in a row that still has the change or new low'),
      ...oneOff.slice(0, 3),
    ],
    [does('alerts when the new listing is still there at the n-th snapshot'), 'listing'],
  ),
  rearm_percent: row(
    does('re-arms this part of the level back'),
    [does('re-arms this many points of the change back; must be less than it'), 'window_percent'],
    [does('re-arms when this part of the change is undone; under 100'), 'window_amount'],
    ...noRearm,
  ),
  rearm_amount: row(
    does('re-arms this many dollars back'),
    [
      refused(
        'is an amount, but the change is in percent; use rearm_percent: how many points of the change must be undone',
      ),
      'window_percent',
    ],
    [
      does('re-arms when this many dollars, or listings, of the change are undone; less than it'),
      'window_amount',
    ],
    [
      does('re-arms this many dollars, or listings, back; for a rise, at most its amount'),
      'watch_start',
    ],
    [does('re-arms this many listings back'), 'supply', 'supply_matching'],
    [does('re-arms this many percentage points back'), 'fill_rate'],
    ...noRearm,
  ),
  cool_down_minutes: row(does('at most one alert of the rule in this time, also of missing data')),
  at_most_per_day: row(
    does('at most this many alerts of the rule in any 24 hours, also of missing data'),
  ),
  'tell_recovery: true': row(
    does('one message when the value went back past the rearm level after an alert'),
    [
      refused(
        'has no effect here: the rule stays armed, so nothing goes back; use level or supply to be told of it',
      ),
      ...oneOff,
      'last_alert',
    ],
    [
      refused(
        'is not for a window: when its high or low leaves the window the rule re-arms although the value stays; use level or watch_start',
      ),
      'window_percent',
      'window_amount',
    ],
    [refused('has no effect beside becomes; add a rule for the opposite change'), ...becoming],
  ),
  within_days_of_event: row(does('no alert before the event is this near')),
  expires_at: row(does('no alert from this time on')),
  repeat_every_further_percent: row(
    does('alerts again at each further step of this percent while it stays reached'),
    [
      does('alerts again at each further step of this many points while it stays reached'),
      'window_percent',
    ],
    [
      refused(
        'is allowed only for a percent change from watch_start or a window: other rules repeat by themselves',
      ),
      'window_amount',
      'previous_snapshot',
      'last_alert',
    ],
    [refused('is not for this kind of rule: each new one raises an alert anyway'), ...oneOff],
    [refused('has no effect beside becomes; use at_or_below or at_or_above'), ...becoming],
    [refused('is not for fill_rate; use a rule for each level'), 'fill_rate'],
  ),
  fee_percent: row(
    refused('is for level and listing rules: other rules compare no price with a level'),
    [does('compares the price with the fee added'), 'level', 'listing'],
  ),
  min_history_hours: row(
    refused('is allowed only with a window, and must be shorter than the window'),
    [
      does('no alert before the window has a value this old'),
      'window_percent',
      'window_amount',
      'extreme',
    ],
  ),
} satisfies Record<string, Row>;

export type Modifier = keyof typeof modifierTable;
export const modifierNames = Object.keys(modifierTable) as Modifier[];

/** The modifier's field in the rule, and its value if the row is for one value. */
export function fieldAndValueOf(modifier: Modifier): { field: string; value: string | undefined } {
  const [field = modifier, value] = modifier.split(': ');
  return { field, value };
}

/** The kinds of rules that accept a modifier, in words; undefined if no modifier has this field. */
export function kindsWith(field: string): string[] | undefined {
  const own = modifierNames.filter((modifier) => fieldAndValueOf(modifier).field === field);
  if (own.length === 0) return undefined;
  return ruleKindNames
    .filter((kind) => own.some((modifier) => 'does' in modifierTable[modifier][kind]))
    .map((kind) => ruleKinds[kind].replaceAll('`', ''));
}

type Fields = Readonly<Record<string, unknown>>;

/** The kind of a rule as sent, whose other fields may be faulty; null if it has none. */
export function ruleKindOf({ type, from, drops_by, rises_by, becomes, matching }: Fields) {
  if (type === 'change') return changeKindOf(from, drops_by ?? rises_by);
  if (type === 'supply') {
    if (becomes === undefined) return matching === undefined ? 'supply' : 'supply_matching';
    return matching === undefined ? 'becomes' : 'becomes_matching';
  }
  return ruleKindNames.find((kind) => kind === type) ?? null;
}

function changeKindOf(from: unknown, by: unknown): RuleKind | null {
  const of = fieldOf(from, 'of');
  if (of === 'previous_snapshot' || of === 'last_alert' || of === 'watch_start') return of;
  if (typeof of !== 'string') return null;
  return fieldOf(by, 'percent') === undefined ? 'window_amount' : 'window_percent';
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}
