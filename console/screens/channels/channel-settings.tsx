// The settings of a channel: its name, what it holds back, its address, and the acts that are rarely wanted.
import { useSignal } from '@preact/signals';
import { changeChannel, type KindOfChannel, type ListedChannel } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { changesOf } from '../../parts/changes.ts';
import { Field, Form, SaveButton, submit, TextField, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { ChannelRareActs } from './channel-rare-acts.tsx';
import { channelName } from './channel-words.ts';
import { bodyOf, type FieldValues, type KindField, KindFields } from './kind-fields.tsx';

interface ChannelSettingsProps {
  channel: ListedChannel;
  kind: KindOfChannel | undefined;
  others: readonly ListedChannel[];
}

/** The settings that every kind has. */
type Settings = Pick<ListedChannel, 'name' | 'immediate' | 'stale_alerts' | 'fallback_channel'>;

function settingsOf(channel: ListedChannel): Settings {
  const { name, immediate, stale_alerts, fallback_channel } = channel;
  return { name, immediate, stale_alerts, fallback_channel };
}

export function ChannelSettings({ channel, kind, others }: ChannelSettingsProps) {
  const form = useForm();
  const fields = (kind?.fields ?? []).filter(({ can_change }) => can_change);
  const draft = useSignal(settingsOf(channel));
  const given = useSignal<FieldValues>(givenOf(fields, channel));
  const removed = useSignal<readonly string[]>([]);
  const set = (change: Partial<Settings>) => {
    draft.value = { ...draft.value, ...change };
  };

  const target = {
    ...changedTarget(fields, channel, bodyOf(fields, given.value)),
    ...Object.fromEntries(removed.value.map((name) => [name, null])),
  };
  const change = { ...changesOf(settingsOf(channel), draft.value), ...target };

  async function save(): Promise<void> {
    const before = settingsOf(channel);
    const path = { id: channel.id };
    const isDone = await submit(form, () => send(changeChannel, { path, body: change }));
    if (!isDone) return;
    given.value = {};
    removed.value = [];
    // The address before was never shown, so nobody can put it back.
    const canUndo = Object.keys(target).length === 0;
    const undo = () => send(changeChannel, { path, body: changesOf(draft.value, before) });
    told(`Saved ${channelName({ ...channel, ...draft.value })}`, canUndo ? undo : undefined);
  }

  return (
    <div class="settings">
      <Form form={form} onSubmit={save}>
        <TextField
          form={form}
          name="name"
          label="Name"
          value={draft.value.name ?? ''}
          onInput={(text) => set({ name: text === '' ? null : text })}
        />
        <KindFields form={form} fields={fields} values={given} isChange />
        {fields
          .filter((field) => canRemove(field, channel))
          .map(({ name, label }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={removed.value.includes(name)}
                onChange={({ currentTarget: { checked } }) => {
                  const kept = removed.value.filter((each) => each !== name);
                  removed.value = checked ? [...kept, name] : kept;
                }}
              />
              Remove: {label.toLowerCase()}
            </label>
          ))}
        <label class="check">
          <input
            type="checkbox"
            checked={draft.value.immediate}
            onChange={({ currentTarget: { checked } }) => set({ immediate: checked })}
          />
          At once: quiet hours and the digest don’t hold back its alerts
        </label>
        <Field
          form={form}
          name="stale_alerts"
          label="An alert that could not be sent for six hours"
        >
          {(control) => (
            <select
              {...control}
              value={draft.value.stale_alerts}
              onChange={({ currentTarget: { value } }) =>
                set({ stale_alerts: value === 'drop' ? 'drop' : 'send' })
              }
            >
              <option value="send">is sent, and says how old it is</option>
              <option value="drop">is dropped</option>
            </select>
          )}
        </Field>
        <Field
          form={form}
          name="fallback_channel"
          label="When it can’t be reached, send to"
          hint="When it refuses alerts, or urgent ones could not be sent for 15 minutes."
        >
          {(control) => (
            <select
              {...control}
              value={draft.value.fallback_channel ?? ''}
              onChange={({ currentTarget: { value } }) =>
                set({ fallback_channel: value === '' ? null : value })
              }
            >
              <option value="">no other channel</option>
              {others.map((other) => (
                <option key={other.id} value={other.id}>
                  {channelName(other)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <SaveButton form={form} change={change} />
      </Form>
      <ChannelRareActs channel={channel} />
    </div>
  );
}

/** An optional field can be taken away, unless it is known to be empty. */
function canRemove({ required, form }: KindField, { header_names: headers }: ListedChannel) {
  if (form === 'headers') return (headers?.length ?? 0) > 0;
  return !required && form !== 'choice' && form !== 'template';
}

/** The fields of the address that the API shows, as the form has them; all others are secrets. */
function givenOf(fields: readonly KindField[], channel: ListedChannel): FieldValues {
  const known = fields.map(({ name }) => [name, knownOf(channel, name)] as const);
  return Object.fromEntries(
    known.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

function knownOf(channel: ListedChannel, name: string): unknown {
  return new Map<string, unknown>(Object.entries(channel)).get(name);
}

/** What a change sends of the address: new values, and null for a known one that was emptied. */
function changedTarget(
  fields: readonly KindField[],
  channel: ListedChannel,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changes = fields.map(({ name }) => [name, body[name] ?? null] as const);
  return Object.fromEntries(
    changes.filter(([name, value]) => value !== (knownOf(channel, name) ?? null)),
  );
}
