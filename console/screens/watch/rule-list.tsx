// All rules of a watch, where it has several: a press opens one.
import { plural } from '../../words/amounts.ts';
import type { Composition } from './composition.ts';
import { Remove } from './remove.tsx';
import { draftWords } from './rule-words.ts';

interface RuleListProps {
  composition: Composition;
  zones: readonly string[];
}

export function RuleList({ composition, zones }: RuleListProps) {
  const { rules, at } = composition;
  const entries = rules.value;
  if (entries.length < 2) return null;
  function remove(index: number): void {
    at.value = Math.max(
      0,
      at.value > index ? at.value - 1 : Math.min(at.value, entries.length - 2),
    );
    rules.value = entries.filter((_, position) => position !== index);
  }
  return (
    <ol class="rules" aria-label={plural(entries.length, 'rule')}>
      {entries.map(({ draft }, index) => {
        const words = draftWords(draft, zones);
        return (
          <li key={`${index} ${draft.type}`}>
            <button
              type="button"
              class="plain"
              aria-pressed={at.value === index}
              onClick={() => {
                at.value = index;
              }}
            >
              {words}
            </button>
            <Remove what={words} onClick={() => remove(index)} />
          </li>
        );
      })}
    </ol>
  );
}
