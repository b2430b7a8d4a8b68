// The slots of a rule's sentence: whatever a person chooses, the page makes a rule that the API takes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRule } from '#shared/rules/language/validate.ts';
import { anyAcceptedRule } from '#test/support/rules/arbitraries.ts';
import {
  isSet,
  modifiers,
  removed,
  withoutMisfits,
} from '../../console/screens/watch/modifiers.ts';
import { isIncomplete, type RuleDraft } from '../../console/screens/watch/rule-draft.ts';
import { conditionKinds, kindNames, ruleKinds } from '../../console/screens/watch/rule-kinds.ts';
import { askedParts, draftWords, rearmWords } from '../../console/screens/watch/rule-words.ts';
import type { SentencePart } from '../../console/screens/watch/sentence-parts.ts';

const zones = ['Lower Bowl', 'Club'];
const from = { price: 126.5, zone: 'Lower Bowl' };

/** Every draft that one choice in these slots makes. */
function nextOf(parts: readonly SentencePart[]): RuleDraft[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.kind === 'choice') return part.options.map(({ value }) => part.put(value));
    if (part.kind === 'number') return [part.put(2)];
    return [part.put(part.kind === 'date' ? '2027-01-01T00:00:00.000Z' : 'A-K, CLUB*')];
  });
}

const faultsIn = (draft: RuleDraft) => {
  const reading = readRule(draft, { zones });
  return reading.ok ? [] : reading.faults;
};

describe('the sentence of a rule', () => {
  it.each(kindNames)('leads from %s to rules that the API takes, or that miss a number', (kind) => {
    let drafts = [ruleKinds[kind].begin(from)];
    for (let choices = 0; choices < 2; choices += 1) {
      drafts = drafts.flatMap((draft) => [draft, ...nextOf(askedParts(draft, zones))]);
      const whole = drafts.filter((draft) => !isIncomplete(draft));
      expect(whole.flatMap(faultsIn)).toEqual([]);
      expect(whole.length).toBeGreaterThan(1);
    }
  });

  it.each(Object.keys(conditionKinds) as (keyof typeof conditionKinds)[])(
    'has a condition on %s that the API takes',
    (kind) => {
      const { begin, parts } = conditionKinds[kind];
      const conditions = [begin(from), ...nextOf(parts(begin(from), zones))];
      for (const condition of conditions.filter((each) => !isIncomplete(each))) {
        const rule = { ...ruleKinds.level.begin(from), all_of: [condition] };
        expect(faultsIn(rule as RuleDraft)).toEqual([]);
      }
    },
  );

  it('shows any rule that the API takes as it is, and changes nothing of it by itself', () => {
    fc.assert(
      fc.property(anyAcceptedRule, (json) => {
        const rule = json as RuleDraft;
        const shown = [
          ...askedParts(rule, ['Floor']),
          ...modifiers.filter((row) => isSet(row, rule)).flatMap((row) => row.parts(rule)),
        ];
        for (const part of shown) {
          if (typeof part === 'string') continue;
          if (part.kind === 'choice') {
            expect(part.options.map(({ value }) => value)).toContain(part.value);
          } else {
            const same = part.kind === 'number' ? part.put(part.value) : part.put(part.value);
            expect(readRule(same)).toEqual(readRule(rule));
          }
        }
      }),
    );
  });

  it('is also told in plain words', () => {
    const rule = {
      ...{ type: 'level', metric: 'get_in', zone: 'Club', at_or_below: 120 },
      ...{ confirmations: 2, all_of: [{ type: 'fill_rate', at_or_above: 60 }] },
    } as RuleDraft;
    expect(draftWords(rule, zones)).toBe(
      'get-in of Club is at or below $120, while the share of listings that sold is at or above 60%, only if it stays so for 2 refreshes in a row',
    );
    expect(rearmWords(rule)).toBe('again only after it went back above $123.60');
  });
});

describe('what can be added to a rule', () => {
  const bases: RuleDraft[] = [
    ...kindNames.map((kind) => ruleKinds[kind].begin(from)),
    ...(
      [
        { of: 'start', window: '7d' },
        { of: 'previous_snapshot' },
        { of: 'last_alert' },
        { of: 'watch_start' },
      ] as const
    ).flatMap((baseline) =>
      [{ percent: 5 }, { amount: 5 }].map(
        (drops_by): RuleDraft => ({ type: 'change', metric: 'get_in', drops_by, from: baseline }),
      ),
    ),
    { type: 'supply', matching: { sections: ['101'] }, at_or_below: 4 },
    { type: 'supply', becomes: 'sold_out' },
    { type: 'supply', becomes: 'available', matching: { rows: ['A'] } },
  ];
  const cases = bases.flatMap((base) =>
    modifiers.map((row) => [JSON.stringify(base), row.label, base, row] as const),
  );

  it.each(cases)('%s: “%s” is offered if and only if the API takes it', (_, __, base, row) => {
    const begun = row.begin(base);
    const whole = row.label === 'only until a date' ? nextOf(row.parts(begun))[0] : begun;
    const isTaken = faultsIn(whole ?? begun).length === 0;
    expect(row.fits?.(base) ?? true).toBe(isTaken);
    if (!isTaken) return;
    expect(removed(row, begun)).toEqual(base);
    expect(
      nextOf(row.parts(begun))
        .filter((next) => !isIncomplete(next))
        .flatMap(faultsIn),
    ).toEqual([]);
  });

  it('is not there where a rule says no to it', () => {
    const rule: RuleDraft = { ...ruleKinds.level.begin(from), urgent: false, tell_recovery: false };
    expect(modifiers.filter((row) => isSet(row, rule))).toEqual([]);
  });

  it('is left out of a rule of another kind that does not take it', () => {
    const rule: RuleDraft = { ...ruleKinds.extreme.begin(from), fee_percent: 25, urgent: true };
    expect(withoutMisfits(rule)).toEqual({ ...ruleKinds.extreme.begin(from), urgent: true });
  });
});
