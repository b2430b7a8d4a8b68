// The open rule of a watch as a sentence with slots, and what can be added to it.
import { type Composition, openRule, putRule } from './composition.ts';
import { ConditionList } from './condition-list.tsx';
import { isSet, modifiers, removed, withoutMisfits } from './modifiers.ts';
import { Remove } from './remove.tsx';
import { type RuleDraft, type RuleJson, withFields } from './rule-draft.ts';
import { faultsUnder, type RuleFaults } from './rule-faults.ts';
import { conditionKinds, kindNames, ruleKinds } from './rule-kinds.ts';
import { askedParts, rearmWords } from './rule-words.ts';
import { Sentence } from './slots.tsx';

/** As many as the API takes. */
const mostRules = 20;

function addRule({ rules, at }: Composition): void {
  const draft = ruleKinds.extreme.begin({ price: undefined, zone: undefined });
  rules.value = [...rules.value, { draft }];
  at.value = rules.value.length - 1;
}

interface RuleCardProps {
  composition: Composition;
  zones: readonly string[];
  /** The price now where the rule looks. */
  price: number | undefined;
  /** What the preview refused of the open rule, by its fields. */
  refused: RuleFaults;
}

export function RuleCard({ composition, zones, price, refused }: RuleCardProps) {
  const draft = openRule(composition)?.draft;
  if (!draft) return null;
  const saved = faultsUnder(composition.faults.value, `rules/${composition.at.value}/`);
  const faults = new Map([...refused, ...saved]);
  const put = (next: RuleDraft) => {
    composition.faults.value = new Map();
    putRule(composition, next);
  };
  const rearm = rearmWords(draft);
  return (
    <section class="card" aria-label="The rule">
      <Kinds draft={draft} price={price} onChoose={put} />
      <div class="sentence">
        <span>Tell me when </span>
        <Sentence parts={askedParts(draft, zones)} faults={faults} onChange={put} />
      </div>
      <ul class="further">
        <ConditionList {...{ draft, zones, faults, put }} />
        {modifiers
          .filter((row) => isSet(row, draft))
          .map((row) => (
            <li key={row.label}>
              <Sentence parts={row.parts(draft)} faults={faults} onChange={put} />
              <Remove what={row.label} onClick={() => put(removed(row, draft))} />
            </li>
          ))}
      </ul>
      <div class="hint">
        {rearm !== '' && <span>and {rearm}</span>}
        <AddCondition draft={draft} put={put} />
        {composition.rules.value.length < mostRules && (
          <button type="button" class="plain add link" onClick={() => addRule(composition)}>
            add another rule
          </button>
        )}
      </div>
    </section>
  );
}

interface KindsProps {
  draft: RuleDraft;
  price: number | undefined;
  onChoose: (draft: RuleDraft) => void;
}

/** Another kind keeps the zone, and of the rest what it takes. */
function Kinds({ draft, price, onChoose }: KindsProps) {
  const zone = draft.zone ?? draft.zones?.[0] ?? draft.matching?.zones?.[0];
  function choose(kind: RuleJson['type']): void {
    const further = modifiers
      .flatMap(({ fields }) => fields)
      .filter((field) => field !== 'min_amount');
    const kept = [...further, 'all_of', 'any_of'] as const;
    const same = Object.fromEntries(kept.map((field) => [field, draft[field]]));
    onChoose(withoutMisfits(withFields(ruleKinds[kind].begin({ price, zone }), same)));
  }
  return (
    <div class="bar rule-kinds">
      {kindNames.map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={draft.type === kind}
          onClick={() => draft.type !== kind && choose(kind)}
        >
          {ruleKinds[kind].label}
        </button>
      ))}
    </div>
  );
}

/** A list of what can be added; it adds what is chosen. */
function AddCondition({ draft, put }: { draft: RuleDraft; put: (draft: RuleDraft) => void }) {
  const left = modifiers.filter((row) => !isSet(row, draft) && (row.fits?.(draft) ?? true));
  const kinds = Object.keys(conditionKinds) as (keyof typeof conditionKinds)[];
  function add(chosen: string): void {
    const row = left.find(({ label }) => label === chosen);
    const kind = kinds.find((each) => `while ${each}` === chosen);
    if (row) put(row.begin(draft));
    if (kind) put(withFurther(draft, kind));
  }
  return (
    <select
      class="adder"
      aria-label="Add a condition"
      value=""
      onChange={({ currentTarget }) => {
        add(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">add a condition</option>
      {left.map(({ label }) => (
        <option key={label} value={label}>
          {label}
        </option>
      ))}
      <optgroup label="only while">
        {kinds.map((kind) => (
          <option key={kind} value={`while ${kind}`}>
            {conditionKinds[kind].label}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

/** The rule with one more condition, in the group that it has. */
function withFurther(draft: RuleDraft, kind: keyof typeof conditionKinds): RuleDraft {
  const group = draft.any_of ? 'any_of' : 'all_of';
  const condition = conditionKinds[kind].begin({ price: undefined, zone: draft.zone });
  return withFields(draft, { [group]: [...(draft[group] ?? []), condition] });
}
