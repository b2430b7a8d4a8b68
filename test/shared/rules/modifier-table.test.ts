/**
 * The whole table of rule kinds and modifiers against the engine: an accepted modifier changes the alerts as
 * its cell says, a refused one is one clear fault, and README.md prints the table.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freezeAlert } from '#shared/alerts/freeze-alert.ts';
import { compileRule } from '#shared/rules/compile.ts';
import {
  fieldAndValueOf,
  type Modifier,
  modifierNames,
  modifierTable,
  type RuleKind,
  ruleKindNames,
  ruleKindOf,
  ruleKinds,
} from '#shared/rules/language/modifier-table.ts';
import { ruleSchema } from '#shared/rules/language/rule.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import { DAY_MS } from '#shared/rules/window.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { Market, MINUTE, ruleOf, START } from '#test/support/rules/market.ts';
import {
  fieldsOf,
  isOfListings,
  proofOf,
  rulesByKind,
  type Step,
  snapshotOf,
} from '#test/support/rules/modifier-cells.ts';

type Json = Record<string, unknown>;

/** The market in which the rule saw the steps; the event starts in ten days. */
async function watched(kind: RuleKind, rule: Json, steps: readonly Step[], before = 0) {
  const market = new Market();
  market.eventStartsAt = START + 10 * DAY_MS;
  if (before === 0) await market.make(rule, START);
  for (const [index, step] of steps.entries()) {
    await market.see(snapshotOf(kind, index, step, steps[index - 1] ?? step));
    if (index === before - 1) await market.make(rule, START + index * MINUTE + 1);
  }
  return market;
}

/** The indexes of the steps at which a rule alerts or tells a recovery. */
async function alertsAt(kind: RuleKind, rule: Json, steps: readonly Step[], before = 0) {
  const { alerts, recoveries } = await watched(kind, rule, steps, before);
  const times = [...alerts, ...recoveries].map(({ at }) => (at - START) / MINUTE);
  return times.sort((a, b) => a - b);
}

const cells = ruleKindNames.flatMap((kind) =>
  modifierNames.map((modifier) => ({ kind, modifier, cell: modifierTable[modifier][kind] })),
);
const accepted = cells.filter(({ cell }) => 'does' in cell);
const refused = cells.filter(({ cell }) => 'refused' in cell);

function faultsOf(rule: Json) {
  const reading = readRule(rule);
  return reading.ok ? [] : reading.faults;
}

it.each(ruleKindNames)('%s is the kind of its rule, which is accepted', (kind) => {
  expect(ruleKindOf(rulesByKind[kind])).toBe(kind);
  expect(faultsOf(rulesByKind[kind])).toEqual([]);
});

describe('an accepted modifier', () => {
  it.each(accepted)('$kind with $modifier is accepted', ({ kind, modifier }) => {
    const fields = modifier === 'urgent' ? { urgent: true } : proofOf(modifier, kind).fields;
    expect(faultsOf({ ...rulesByKind[kind], ...fields })).toEqual([]);
  });

  it.each(
    accepted.flatMap(({ kind, modifier }) => (modifier === 'urgent' ? [] : [{ kind, modifier }])),
  )('$modifier changes the alerts of $kind as the table says', async ({ kind, modifier }) => {
    const proof = proofOf(modifier, kind);
    const rule = rulesByKind[kind];
    const changed = { ...rule, ...proof.fields };
    expect(await alertsAt(kind, changed, proof.steps, proof.before)).toEqual(proof.with);
    expect(await alertsAt(kind, rule, proof.steps, proof.before)).toEqual(proof.without);
  });

  it.each(ruleKindNames)('%s can be urgent', async (kind) => {
    const { index, alerts } = await watched(kind, rulesByKind[kind], [100, 79]);
    const [alert] = alerts;
    const trigger = index.find('trg_1');
    if (!alert || !trigger) throw new Error('no alert');
    const news = { trigger, ...alert, previous: null, now: START };
    const isUrgent = (rule: Json) => {
      const watch = { channelIds: ['ch_1'] } as Watch;
      return freezeAlert(news, { watch, rule: ruleOf(rule), facts: undefined }).isUrgent;
    };
    expect(isUrgent({ ...rulesByKind[kind], urgent: true })).toBe(true);
    expect(isUrgent(rulesByKind[kind])).toBe(false);
  });

  it.each(ruleKindNames)(
    '%s alerts while its conditions hold and the event is near',
    async (kind) => {
      const leaf = isOfListings(kind)
        ? { type: 'listings', at_least: 1 }
        : { type: 'supply', metric: 'total_listings_active', at_or_above: 1 };
      const rule = {
        ...rulesByKind[kind],
        all_of: [leaf],
        any_of: [leaf],
        within_days_of_event: 30,
      };
      expect(await alertsAt(kind, rule, [100, 79])).toEqual([1]);
    },
  );

  it.each(accepted.filter(({ modifier }) => !['when_already_true: fire'].includes(modifier)))(
    'the sentence of $kind says $modifier',
    ({ kind, modifier }) => {
      const { [fieldAndValueOf(modifier).field]: _own, ...plain } = rulesByKind[kind];
      const changed = { ...plain, ...fieldsOf(modifier, kind), ...ownFields(modifier, kind) };
      expect(ruleSentence(ruleOf(changed))).not.toBe(ruleSentence(ruleOf(plain)));
    },
  );
});

function ownFields(modifier: Modifier, kind: RuleKind): Json {
  return modifier === 'urgent' ? {} : proofOf(modifier, kind).fields;
}

describe('a refused modifier', () => {
  it.each(refused)('$kind with $modifier is one fault that says what to do', (each) => {
    const { kind, modifier, cell } = each;
    const faults = faultsOf({ ...rulesByKind[kind], ...fieldsOf(modifier, kind) });
    const { field } = fieldAndValueOf(modifier);
    expect(faults).toEqual([{ pointer: `/${field}`, message: 'refused' in cell && cell.refused }]);
  });

  it('of a stored rule has no effect and is not said', () => {
    const stored = refused.flatMap(({ kind, modifier }) => {
      const parsed = ruleSchema.safeParse({ ...rulesByKind[kind], ...fieldsOf(modifier, kind) });
      return parsed.success ? [{ kind, rule: parsed.data }] : [];
    });
    expect(stored.length).toBeGreaterThan(30);
    for (const { kind, rule } of stored) {
      const plain = ruleOf(rulesByKind[kind]);
      expect(compileRule(rule)).toEqual(compileRule(plain));
      expect(ruleSentence(rule)).toBe(ruleSentence(plain));
    }
  });
});

describe('limits of a rule that also alerts on missing data', () => {
  const kinds = ruleKindNames.filter((kind) => !isOfListings(kind));
  const limits = [{ cool_down_minutes: 60 }, { at_most_per_day: 1 }];

  it.each(kinds)('are one for all alerts of %s', async (kind) => {
    const rule = { ...rulesByKind[kind], on_no_data: 'alert' };
    const [valueFirst, gapFirst] = [
      [100, 79, null],
      [100, null, 79],
    ];
    expect(await alertsAt(kind, rule, valueFirst)).toEqual([1, 2]);
    expect(await alertsAt(kind, rule, gapFirst)).toEqual([1, 2]);
    for (const limit of limits) {
      expect(await alertsAt(kind, { ...rule, ...limit }, valueFirst)).toEqual([1]);
      expect(await alertsAt(kind, { ...rule, ...limit }, gapFirst)).toEqual([1]);
    }
  });

  it('include the default of any_change when an empty market flaps', async () => {
    const rule = { type: 'any_change', metric: 'get_in', on_no_data: 'alert' };
    const steps = Array.from({ length: 48 }, (_, index) => (index % 2 === 0 ? 100 : null));
    expect(await alertsAt('any_change', rule, steps)).toHaveLength(10);
  });

  it('count further steps and missing data together', async () => {
    const rule = { ...rulesByKind.level, on_no_data: 'alert', repeat_every_further_percent: 5 };
    const steps = [100, 79, 70, null, 60];
    expect(await alertsAt('level', rule, steps)).toEqual([1, 2, 3, 4]);
    expect(await alertsAt('level', { ...rule, at_most_per_day: 2 }, steps)).toEqual([1, 2]);
  });
});

describe('README.md', () => {
  const readme = readFileSync(new URL('../../../shared/rules/README.md', import.meta.url), 'utf8');

  it('prints the table', () => {
    const printed = readme
      .split('\n')
      .map((line) => /^\| `([a-z_]+(?:: [a-z]+)?)` +\| (.+?) +\| (.+?) +\|$/.exec(line)?.slice(1))
      .filter((row) => row?.[0] !== undefined && row[0] in modifierTable);
    expect(printed).toEqual(modifierNames.flatMap(rowsOf));
  });
});

/** The kinds of one modifier with the same cell share a row. */
function rowsOf(modifier: Modifier): string[][] {
  const byText = Map.groupBy(ruleKindNames, (kind) => {
    const cell = modifierTable[modifier][kind];
    return 'does' in cell ? cell.does : `**refused**: ${cell.refused}`;
  });
  return [...byText].map(([text, kinds]) => {
    const isEvery = kinds.length === ruleKindNames.length;
    return [modifier, isEvery ? 'all' : kinds.map((kind) => ruleKinds[kind]).join('; '), text];
  });
}
