// The further conditions of a rule, each as a sentence: all must hold, or any of them.

import { Remove } from './remove.tsx';
import { type ConditionJson, type RuleDraft, withFields } from './rule-draft.ts';
import { faultsUnder, type RuleFaults } from './rule-faults.ts';
import { conditionParts } from './rule-words.ts';
import { textOf } from './sentence-parts.ts';
import { Sentence } from './slots.tsx';

const groups = ['all_of', 'any_of'] as const;
type Group = (typeof groups)[number];

interface ConditionListProps {
  draft: RuleDraft;
  zones: readonly string[];
  faults: RuleFaults;
  put: (draft: RuleDraft) => void;
}

export function ConditionList({ draft, zones, faults, put }: ConditionListProps) {
  return (
    <>
      {groups.flatMap((group) =>
        (draft[group] ?? []).map((condition, index) => {
          const place = (next: ConditionJson | undefined) =>
            put(withCondition(draft, group, index, next));
          const parts = conditionParts(condition, zones);
          return (
            <li key={`${group} ${index}`}>
              <Joint {...{ draft, group, index, put }} />
              <Sentence
                parts={parts}
                faults={faultsUnder(faults, `${group}/${index}/`)}
                onChange={(next) => place(next as ConditionJson)}
              />
              <Remove what={textOf(parts)} onClick={() => place(undefined)} />
            </li>
          );
        }),
      )}
    </>
  );
}

/** Between two conditions of a group: and, or or. */
function Joint({
  draft,
  group,
  index,
  put,
}: {
  draft: RuleDraft;
  group: Group;
  index: number;
  put: ConditionListProps['put'];
}) {
  const hasBoth = groups.every((each) => draft[each]);
  if (index === 0 || hasBoth) {
    return <span>{index === 0 ? 'only while ' : group === 'all_of' ? 'and ' : 'or '}</span>;
  }
  return (
    <select
      class="slot"
      aria-label="How the conditions are joined"
      value={group}
      onChange={({ currentTarget: { value } }) =>
        put(withFields(draft, { [group]: undefined, [value]: draft[group] }))
      }
    >
      <option value="all_of">and</option>
      <option value="any_of">or</option>
    </select>
  );
}

function withCondition(
  draft: RuleDraft,
  group: Group,
  index: number,
  next: ConditionJson | undefined,
): RuleDraft {
  const conditions = (draft[group] ?? []).flatMap((each, position) =>
    position === index ? (next ?? []) : each,
  );
  return withFields(draft, { [group]: conditions.length === 0 ? undefined : conditions });
}
