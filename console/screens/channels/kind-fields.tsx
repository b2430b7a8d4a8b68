// The fields of a kind of channel, as the API describes them, and the body that they make.
import type { Signal } from '@preact/signals';
import type { KindOfChannel } from '../../api/calls.ts';
import { Field, type FormState } from '../../parts/form.tsx';
import { BodyPreview } from './body-preview.tsx';

export type KindField = KindOfChannel['fields'][number];

/** A pair of a header; both are empty until the person writes. */
type HeaderPair = readonly [name: string, value: string];
export type FieldValue = string | readonly HeaderPair[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

const mostHeaders = 2;

/** The part of a body that the fields make. A field without a value is left out. */
export function bodyOf(fields: readonly KindField[], values: FieldValues): Record<string, unknown> {
  const given = fields.flatMap(({ name, choices }): [string, unknown][] => {
    const value = values[name];
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') {
      const choice = choices.find((each) => String(each.value) === value);
      return [[name, choice?.value ?? value.trim()]];
    }
    const pairs = value.filter(([header, text]) => header.trim() !== '' || text !== '');
    const headers = Object.fromEntries(pairs.map(([header, text]) => [header.trim(), text]));
    return pairs.length === 0 ? [] : [[name, headers]];
  });
  return Object.fromEntries(given);
}

/** Whether a field may stay empty; a choice has a value from the start. */
function isLeftOut({ required, form }: KindField): boolean {
  return !required && form !== 'choice';
}

interface KindFieldsProps {
  form: FormState;
  fields: readonly KindField[];
  values: Signal<FieldValues>;
  /** Whether the channel is there already, and an empty field keeps its value. */
  isChange?: boolean;
}

export function KindFields({ form, fields, values, isChange = false }: KindFieldsProps) {
  const set = (name: string, value: FieldValue) => {
    values.value = { ...values.value, [name]: value };
  };
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          form={form}
          name={field.name}
          label={field.label + (isLeftOut(field) && !isChange ? ' (optional)' : '')}
          hint={field.hint}
        >
          {(control) =>
            field.form === 'headers' ? (
              <Headers
                control={control}
                label={field.label}
                pairs={(values.value[field.name] as readonly HeaderPair[] | undefined) ?? []}
                onChange={(pairs) => set(field.name, pairs)}
              />
            ) : field.form === 'choice' ? (
              <select
                {...control}
                value={String(values.value[field.name] ?? field.choices[0]?.value ?? '')}
                onChange={({ currentTarget }) => set(field.name, currentTarget.value)}
              >
                {field.choices.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            ) : field.form === 'template' ? (
              <textarea
                {...control}
                class="secret"
                rows={4}
                spellcheck={false}
                placeholder={field.example ?? ''}
                value={String(values.value[field.name] ?? '')}
                onInput={({ currentTarget }) => set(field.name, currentTarget.value)}
              />
            ) : (
              <Text
                control={control}
                field={field}
                placeholder={isChange ? 'as it is' : (field.example ?? '')}
                value={String(values.value[field.name] ?? '')}
                onInput={(value) => set(field.name, value)}
              />
            )
          }
        </Field>
      ))}
      {fields.some(({ form: kind }) => kind === 'template') && (
        <BodyPreview settings={() => bodyOf(fields, values.value)} />
      )}
    </>
  );
}

interface TextProps {
  control: object;
  field: KindField;
  placeholder: string;
  value: string;
  onInput: (value: string) => void;
}

const inputModes: Readonly<Record<string, 'email' | 'url'>> = { email: 'email', url: 'url' };

function Text({ control, field: { form }, placeholder, value, onInput }: TextProps) {
  const attributes = {
    ...control,
    ...{ placeholder, value, autocomplete: 'off', spellcheck: false },
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
  };
  if (form === 'secret') return <input type="password" {...attributes} />;
  return <input type="text" inputMode={inputModes[form] ?? 'text'} {...attributes} />;
}

interface HeadersProps {
  control: { id: string };
  label: string;
  pairs: readonly HeaderPair[];
  onChange: (pairs: readonly HeaderPair[]) => void;
}

function Headers({ control, label, pairs, onChange }: HeadersProps) {
  const rows = Array.from({ length: mostHeaders }, (_, row) => pairs[row] ?? (['', ''] as const));
  const change = (row: number, pair: HeaderPair) =>
    onChange(rows.map((before, index) => (index === row ? pair : before)));
  return (
    <>
      {rows.map(([name, value], row) => (
        <div class="row" key={row}>
          <input
            {...(row === 0 ? control : {})}
            aria-label={`${label}: name ${row + 1}`}
            placeholder="Name"
            autocomplete="off"
            spellcheck={false}
            value={name}
            onInput={({ currentTarget }) => change(row, [currentTarget.value, value])}
          />
          <input
            type="password"
            aria-label={`${label}: value ${row + 1}`}
            placeholder="Value"
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => change(row, [name, currentTarget.value])}
          />
        </div>
      ))}
    </>
  );
}
