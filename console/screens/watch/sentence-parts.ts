// The parts that a rule's sentence is made of: words, and slots that a person fills.
import type { RuleDraft } from './rule-draft.ts';

export interface Option {
  value: string;
  text: string;
}

/** A slot says its name to screen readers, and makes a new draft of what is put into it. */
export type SentencePart =
  | string
  | {
      kind: 'choice';
      name: string;
      value: string;
      options: readonly Option[];
      put: (value: string) => RuleDraft;
    }
  | {
      kind: 'number';
      name: string;
      /** undefined while nothing is written. */
      value: number | undefined;
      unit: '$' | '%' | '';
      /** The place in the rule, as faults of the API name it: `at_or_below`. */
      field: string;
      put: (value: number | undefined) => RuleDraft;
    }
  | {
      kind: 'date';
      name: string;
      /** ISO 8601; empty while none is chosen. */
      value: string;
      field: string;
      put: (value: string) => RuleDraft;
    }
  | {
      kind: 'text';
      name: string;
      value: string;
      hint: string;
      field: string;
      put: (value: string) => RuleDraft;
    };

type ChoicePart = Extract<SentencePart, { kind: 'choice' }>;
type NumberPart = Extract<SentencePart, { kind: 'number' }>;
type DatePart = Extract<SentencePart, { kind: 'date' }>;
type TextPart = Extract<SentencePart, { kind: 'text' }>;

export const choice = (part: Omit<ChoicePart, 'kind'>): ChoicePart => ({ kind: 'choice', ...part });
export const number = (part: Omit<NumberPart, 'kind'>): NumberPart => ({ kind: 'number', ...part });
export const date = (part: Omit<DatePart, 'kind'>): DatePart => ({ kind: 'date', ...part });
export const text = (part: Omit<TextPart, 'kind'>): TextPart => ({ kind: 'text', ...part });

/** Options of a table from value to text. */
export function optionsOf(table: Readonly<Record<string, string>>): Option[] {
  return Object.entries(table).map(([value, words]) => ({ value, text: words }));
}

/** NaN is a number that is still to be written. */
export function written(amount: number | undefined): number | undefined {
  return amount === undefined || Number.isNaN(amount) ? undefined : amount;
}

export const missing = Number.NaN;

/** The sentence as plain text, with … in an empty slot. */
export function textOf(parts: readonly SentencePart[]): string {
  return parts.map(partText).filter(Boolean).join(' ');
}

function partText(part: SentencePart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'choice':
      return part.options.find(({ value }) => value === part.value)?.text ?? part.value;
    case 'number': {
      const { value = '…', unit } = part;
      return unit === '%' ? `${value}%` : `${unit}${value}`;
    }
    case 'date':
      return part.value.slice(0, 10) || '…';
    case 'text':
      return part.value || 'any';
  }
}
