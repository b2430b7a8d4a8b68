// A sentence with slots: words, and native fields that look like words.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { zone } from '../../state/status.ts';
import { dateIn } from '../../words/times.ts';
import { numberIn } from '../../words/typed-number.ts';
import { endOfDate } from '../../words/zone-times.ts';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleFaults } from './rule-faults.ts';
import type { SentencePart } from './sentence-parts.ts';

interface SentenceProps {
  parts: readonly SentencePart[];
  faults: RuleFaults;
  onChange: (draft: RuleDraft) => void;
}

export function Sentence({ parts, faults, onChange }: SentenceProps) {
  const id = useId();
  const fields = parts.flatMap((part) =>
    typeof part === 'object' && 'field' in part ? [part.field] : [],
  );
  const own = fields.flatMap((field) => {
    const fault = faults.get(field);
    return fault === undefined ? [] : [{ field, fault }];
  });
  return (
    <>
      {parts.map((part, index) => {
        // A sentence has no two slots of one name; its words never move.
        const key = typeof part === 'string' ? `${index} ${part}` : part.name;
        if (typeof part === 'string') return <span key={key}>{part} </span>;
        const isWrong = 'field' in part && faults.has(part.field);
        return <Slot key={key} {...{ part, onChange, isWrong, faultsId: id }} />;
      })}
      {own.length > 0 && (
        <span id={id} class="slot-fault alarm-text" role="alert">
          {own.map(({ field, fault }) => (
            <span key={field}>{fault} </span>
          ))}
        </span>
      )}
    </>
  );
}

interface SlotProps {
  part: Exclude<SentencePart, string>;
  onChange: (draft: RuleDraft) => void;
  isWrong: boolean;
  faultsId: string;
}

function Slot({ part, onChange, isWrong, faultsId }: SlotProps) {
  const wrong = isWrong ? { 'aria-invalid': true, 'aria-describedby': faultsId } : {};
  switch (part.kind) {
    case 'choice':
      return (
        <select
          class="slot"
          aria-label={part.name}
          value={part.value}
          onChange={({ currentTarget }) => onChange(part.put(currentTarget.value))}
        >
          {part.options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      );
    case 'number':
      return <NumberSlot {...{ part, onChange, wrong }} />;
    case 'date':
      return (
        <input
          class="slot"
          type="date"
          aria-label={part.name}
          value={part.value === '' ? '' : dateIn(Date.parse(part.value), zone.value)}
          onChange={({ currentTarget: { value } }) => {
            const at = value === '' ? '' : new Date(endOfDate(value, zone.value)).toISOString();
            onChange(part.put(at));
          }}
          {...wrong}
        />
      );
    case 'text':
      return (
        <input
          class="slot"
          aria-label={part.name}
          placeholder={part.hint}
          value={part.value}
          size={Math.max(part.hint.length, part.value.length)}
          onChange={({ currentTarget }) => onChange(part.put(currentTarget.value))}
          {...wrong}
        />
      );
  }
}

interface NumberSlotProps {
  part: Extract<SentencePart, { kind: 'number' }>;
  onChange: SlotProps['onChange'];
  wrong: object;
}

/** Keeps what is typed, such as `12.`, while its number stays the same. */
function NumberSlot({ part, onChange, wrong }: NumberSlotProps) {
  const typed = useSignal('');
  const shown = numberIn(typed.value) === part.value ? typed.value : textOf(part.value);
  return (
    <span class="slot number">
      {part.unit === '$' && '$'}
      <input
        inputMode="decimal"
        autocomplete="off"
        aria-label={part.unit === '' ? part.name : `${part.name}, ${part.unit}`}
        value={shown}
        size={Math.max(2, shown.length)}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          onChange(part.put(numberIn(typed.value)));
        }}
        {...wrong}
      />
      {part.unit === '%' && '%'}
    </span>
  );
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
