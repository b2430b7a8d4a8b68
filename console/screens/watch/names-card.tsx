// The name and the tags of a watch.
import { canWrite } from '../../state/session.ts';
import type { Composition } from './composition.ts';

export function NamesCard({ composition }: { composition: Composition }) {
  const { name, tags, faults } = composition;
  return (
    <section class="card names" aria-label="Name and tags">
      <Field label="Name" hint="Finals, lower bowl" field={name} fault={faults.value.get('name')} />
      <Field
        label="Tags"
        hint="knicks december"
        field={tags}
        fault={[...faults.value].find(([place]) => place.startsWith('tags'))?.[1]}
      />
    </section>
  );
}

interface FieldProps {
  label: string;
  hint: string;
  field: { value: string };
  fault: string | undefined;
}

function Field({ label, hint, field, fault }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        placeholder={hint}
        value={field.value}
        disabled={!canWrite.value}
        onInput={({ currentTarget }) => {
          field.value = currentTarget.value;
        }}
        {...(fault !== undefined && { 'aria-invalid': true })}
      />
      {fault !== undefined && (
        <span class="alarm-text" role="alert">
          {fault}
        </span>
      )}
    </label>
  );
}
