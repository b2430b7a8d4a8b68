// For an admin: another owner, with its first key.
import { useSignal } from '@preact/signals';
import { addOwner, makeKey } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Form, submit, TextField, useForm } from '../../parts/form.tsx';
import { Secret } from '../../parts/secret.tsx';
import { told } from '../../parts/toasts.tsx';

export function NewOwner() {
  const form = useForm();
  const name = useSignal('');
  const made = useSignal('');
  async function add(): Promise<void> {
    await submit(form, async () => {
      const owner = await send(addOwner, { body: { name: name.value } });
      const body = { owner_id: owner.id, name: 'first key', scope: 'write' };
      made.value = (await send(makeKey, { body })).key;
      told(`Added ${owner.name}`);
      name.value = '';
    });
  }
  return (
    <Card title="Another owner">
      <Form form={form} onSubmit={add} class="inside">
        <TextField
          form={form}
          name="name"
          label="Name of the person or company"
          hint="It gets a watchlist of its own, and a key with scope write."
          value={name.value}
          onInput={(text) => {
            name.value = text;
          }}
        />
        <button type="submit" disabled={form.isBusy.value}>
          Add
        </button>
        {made.value !== '' && <Secret label="Its first key, shown once" value={made.value} />}
      </Form>
    </Card>
  );
}
