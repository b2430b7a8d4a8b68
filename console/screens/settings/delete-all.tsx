// Deleting everything: the one thing that can't be taken back, so the owner writes its name first.
import { useSignal } from '@preact/signals';
import { deleteOwner, type OwnerJson } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Form, submit, TextField, useForm } from '../../parts/form.tsx';
import { beginDeletion } from '../../state/session.ts';

export function DeleteAll({ owner }: { owner: OwnerJson }) {
  const form = useForm();
  const confirm = useSignal('');
  async function remove(): Promise<void> {
    await submit(form, async () => {
      beginDeletion(await send(deleteOwner, { body: { confirm: confirm.value } }));
    });
  }
  return (
    <Card title="Delete everything">
      <Form form={form} onSubmit={remove} class="inside">
        <p>
          Your keys end and nothing more is sent, at once. Minutes later nothing of you is stored
          here. It can’t be undone: take your data along first.
        </p>
        <TextField
          form={form}
          name="confirm"
          label={`To go on, write your name: ${owner.name}`}
          value={confirm.value}
          onInput={(text) => {
            confirm.value = text;
          }}
        />
        <button
          type="submit"
          class="danger"
          disabled={confirm.value !== owner.name || form.isBusy.value}
        >
          Delete everything of {owner.name}
        </button>
      </Form>
    </Card>
  );
}
