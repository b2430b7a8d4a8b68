// What watches use that don't set their own: channels and latency, for all and by tag.
import { useSignal } from '@preact/signals';
import { changeDefaults, type Defaults, type ListedChannel } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Form, SaveButton, submit, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { canWrite } from '../../state/session.ts';
import { plural } from '../../words/amounts.ts';
import { latencyWords } from '../../words/times.ts';
import { channelName } from '../channels/channel-words.ts';
import {
  type DefaultsDraft,
  type DefaultsOfSome,
  defaultsChange,
  draftOf,
  latencyChoices,
} from './defaults.ts';

interface DefaultsFormProps {
  defaults: Defaults;
  /** The version that was read, which a change names. */
  version: string | undefined;
  channels: readonly ListedChannel[];
}

const none: DefaultsOfSome = { channels: null, latency_seconds: null };

export function DefaultsForm({ defaults, version, channels }: DefaultsFormProps) {
  const form = useForm();
  const before = draftOf(defaults);
  const draft = useSignal<DefaultsDraft>(before);
  const tag = useSignal('');
  const change = defaultsChange(before, draft.value);

  async function save(): Promise<void> {
    let changed = 0;
    const isDone = await submit(form, async () => {
      const answer = await send(changeDefaults, { body: change, ifMatch: version ?? '*' });
      changed = answer.watches_changed ?? 0;
    });
    if (!isDone) return;
    const body = defaultsChange(draft.value, before);
    told(`Saved; ${plural(changed, 'watch', 'watches')} changed with it`, () =>
      send(changeDefaults, { body, ifMatch: '*' }),
    );
  }

  function addTag(): void {
    const name = tag.value.trim().replace(/^#/, '').toLowerCase();
    if (name === '' || Object.hasOwn(draft.value.tags, name)) return;
    draft.value = { ...draft.value, tags: { ...draft.value.tags, [name]: none } };
    tag.value = '';
  }

  function withoutTag(name: string): void {
    const tags = Object.entries(draft.value.tags).filter(([each]) => each !== name);
    draft.value = { ...draft.value, tags: Object.fromEntries(tags) };
  }

  return (
    <Card title="Defaults of watches">
      <Form form={form} onSubmit={save} class="inside">
        <fieldset disabled={!canWrite.value}>
          <p class="small muted">
            For watches that don’t set their own. The first of a watch’s tags that sets something
            wins over what is set for all.
          </p>
          <Settings
            title="All watches"
            settings={draft.value}
            channels={channels}
            onChange={(settings) => {
              draft.value = { ...draft.value, ...settings };
            }}
          />
          {Object.entries(draft.value.tags).map(([name, settings]) => (
            <Settings
              key={name}
              title={`#${name}`}
              settings={settings}
              channels={channels}
              onChange={(own) => {
                const tags = { ...draft.value.tags, [name]: { ...settings, ...own } };
                draft.value = { ...draft.value, tags };
              }}
              onRemove={() => withoutTag(name)}
            />
          ))}
          {canWrite.value && (
            <>
              <div class="row">
                <input
                  aria-label="A tag with defaults of its own"
                  placeholder="A tag with defaults of its own"
                  autocomplete="off"
                  value={tag.value}
                  onInput={({ currentTarget }) => {
                    tag.value = currentTarget.value;
                  }}
                />
                <button type="button" onClick={addTag}>
                  Add the tag
                </button>
              </div>
              <SaveButton form={form} change={change} />
            </>
          )}
        </fieldset>
      </Form>
    </Card>
  );
}

interface SettingsProps {
  title: string;
  settings: DefaultsOfSome;
  channels: readonly ListedChannel[];
  onChange: (settings: Partial<DefaultsOfSome>) => void;
  onRemove?: () => void;
}

function Settings({ title, settings, channels, onChange, onRemove }: SettingsProps) {
  const { channels: chosen, latency_seconds: latency } = settings;
  function toggle(id: string, isChosen: boolean): void {
    const others = (chosen ?? []).filter((each) => each !== id);
    const all = isChosen ? [...others, id] : others;
    onChange({ channels: all.length === 0 ? null : all });
  }
  return (
    <fieldset class="defaults">
      <legend>{title}</legend>
      <div class="row">
        {channels.map((channel) => (
          <label key={channel.id} class="check">
            <input
              type="checkbox"
              checked={chosen?.includes(channel.id) ?? false}
              onChange={({ currentTarget }) => toggle(channel.id, currentTarget.checked)}
            />
            {channelName(channel)}
          </label>
        ))}
      </div>
      <label class="row">
        An alert may be late by
        <select
          value={latency ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ latency_seconds: value === '' ? null : Number(value) })
          }
        >
          <option value="">{onRemove ? 'what is set for all' : '1 h, the usual'}</option>
          {latencyChoices(latency).map((seconds) => (
            <option key={seconds} value={seconds}>
              {latencyWords(seconds)}
            </option>
          ))}
        </select>
      </label>
      {onRemove && (
        <button type="button" class="plain" onClick={onRemove}>
          Remove {title}
        </button>
      )}
    </fieldset>
  );
}
