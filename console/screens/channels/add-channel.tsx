// Adding a channel: its kind, how to get the address in steps, the form, and what follows.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  addChannel,
  deleteChannel,
  type KindOfChannel,
  type ListedChannel,
} from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, submit, TextField, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { filter, place } from '../../router.ts';
import { type Added, AddedChannel } from './added-channel.tsx';
import { channelName } from './channel-words.ts';
import { bodyOf, type FieldValues, KindFields } from './kind-fields.tsx';

/** In place of a kind in the address: none is chosen yet. */
export const chooseKind = 'choose';

interface AddChannelProps {
  kinds: readonly KindOfChannel[];
  /** The channels as they are now, for the one that was added. */
  channels: readonly ListedChannel[];
}

export function AddChannel({ kinds, channels }: AddChannelProps) {
  const added = useSignal<Added | undefined>(undefined);
  const wanted = place.value.query.get('add');
  const kind = kinds.find((each) => each.kind === wanted);
  const close = () => filter({ add: '' });
  const title = added.value
    ? `Added: ${channelName(added.value)}`
    : kind
      ? `Add a channel: ${kind.label}`
      : 'Where should alerts go?';
  return (
    <Dialog title={title} onClose={close}>
      {added.value ? (
        <AddedChannel
          added={added.value}
          channel={channels.find(({ id }) => id === added.value?.id)}
          onClose={close}
        />
      ) : kind ? (
        <NewChannel
          key={kind.kind}
          kind={kind}
          onAdded={(made) => {
            added.value = made;
          }}
        />
      ) : (
        <Kinds kinds={kinds} />
      )}
    </Dialog>
  );
}

function Kinds({ kinds }: { kinds: readonly KindOfChannel[] }) {
  return (
    <ul class="kinds">
      {kinds.map(({ kind, label, about, available }) => (
        <li key={kind}>
          <button type="button" disabled={!available} onClick={() => filter({ add: kind })}>
            <b>{label}</b>
            <span class="small muted">
              {available ? about : 'The operator of this Getin has not set it up.'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function NewChannel({ kind, onAdded }: { kind: KindOfChannel; onAdded: (made: Added) => void }) {
  const form = useForm();
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.querySelector('input')?.focus();
  }, []);
  const values = useSignal<FieldValues>({});
  const name = useSignal('');
  async function add(): Promise<void> {
    const body = {
      kind: kind.kind,
      ...bodyOf(kind.fields, values.value),
      ...(name.value.trim() !== '' && { name: name.value.trim() }),
    };
    await submit(form, async () => {
      const made = await send(addChannel, { body });
      const path = { id: made.id };
      const undo = () => send(deleteChannel, { path, query: { force: true } });
      told(`Added ${channelName(made)}`, undo);
      onAdded(made);
    });
  }
  return (
    <div class="inside" ref={top}>
      <p>{kind.about}</p>
      <ol class="steps">
        {kind.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Form form={form} onSubmit={add}>
        <KindFields form={form} fields={kind.fields} values={values} />
        <TextField
          form={form}
          name="name"
          label="Name (optional)"
          hint="What you call it, such as “Ann’s phone”."
          value={name.value}
          onInput={(text) => {
            name.value = text;
          }}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={form.isBusy.value}>
            {form.isBusy.value ? 'Adding …' : 'Add'}
          </button>
          <button type="button" class="plain" onClick={() => filter({ add: chooseKind })}>
            Another kind
          </button>
        </div>
      </Form>
    </div>
  );
}
