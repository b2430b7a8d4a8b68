// The owner: the name, the time zone that every time is told in, recaps.
import { useSignal } from '@preact/signals';
import { changeOwner, type OwnerJson } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { changesOf } from '../../parts/changes.ts';
import { Field, Form, SaveButton, submit, TextField, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { coarseNow } from '../../state/clock.ts';
import { canWrite } from '../../state/session.ts';
import { clockThere, timeZones } from './time-zones.ts';

type Own = Pick<OwnerJson, 'name' | 'time_zone' | 'recaps'>;

export function OwnerForm({ owner }: { owner: OwnerJson }) {
  const form = useForm();
  const { name, time_zone, recaps } = owner;
  const before: Own = { name, time_zone, recaps };
  const draft = useSignal(before);
  const change = changesOf(before, draft.value);
  const set = (part: Partial<Own>) => {
    draft.value = { ...draft.value, ...part };
  };

  async function save(): Promise<void> {
    if (!(await submit(form, () => send(changeOwner, { body: change })))) return;
    told('Saved', () => send(changeOwner, { body: changesOf(draft.value, before) }));
  }

  return (
    <Card title="You">
      <Form form={form} onSubmit={save} class="inside">
        <fieldset disabled={!canWrite.value}>
          <TextField
            form={form}
            name="name"
            label="Name"
            autocomplete="name"
            value={draft.value.name}
            onInput={(text) => set({ name: text })}
          />
          <Field
            form={form}
            name="time_zone"
            label="Time zone"
            hint={clockThere(draft.value.time_zone, coarseNow.value)}
          >
            {(control) => (
              <>
                <input
                  {...control}
                  list="time-zones"
                  autocomplete="off"
                  spellcheck={false}
                  value={draft.value.time_zone}
                  onInput={({ currentTarget }) => set({ time_zone: currentTarget.value.trim() })}
                />
                <datalist id="time-zones">
                  {timeZones().map((zone) => (
                    <option key={zone} value={zone} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <label class="check">
            <input
              type="checkbox"
              checked={draft.value.recaps}
              onChange={({ currentTarget }) => set({ recaps: currentTarget.checked })}
            />
            After each event one message: its lowest price, what your rules did, what it cost
          </label>
          {canWrite.value && <SaveButton form={form} change={change} />}
        </fieldset>
      </Form>
    </Card>
  );
}
