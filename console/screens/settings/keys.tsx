// The API keys: made, shown once, renamed, replaced, ended.
import { useSignal } from '@preact/signals';
import { changeKey, endKey, type KeyJson, makeKey, rotateKey } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form, submit, TextField, useForm } from '../../parts/form.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Ago, At } from '../../parts/time.tsx';
import { attempt, leaving, told, toldLeaving } from '../../parts/toasts.tsx';
import { now } from '../../state/clock.ts';
import { canWrite, session } from '../../state/session.ts';
import { plural } from '../../words/amounts.ts';
import { isOver, scopesUpTo, scopeWords } from './key-words.ts';

export function Keys({ keys }: { keys: readonly KeyJson[] }) {
  const valid = keys.filter((key) => !isOver(key, now.value) && !leaving.value.has(key.id));
  const ended = keys.filter((key) => isOver(key, now.value));
  return (
    <Card title="API keys" also={<span class="small muted">{plural(valid.length, 'key')}</span>}>
      <ul class="plain-list rows">
        {valid.map((key) => (
          <Key key={key.id} apiKey={key} />
        ))}
      </ul>
      {canWrite.value && <NewKey />}
      {ended.length > 0 && (
        <details class="inside">
          <summary>{plural(ended.length, 'ended key')}</summary>
          <ul class="plain-list small muted">
            {ended.map(({ id, name, hint, revoked_at, ends_at }) => (
              <li key={id}>
                {name ?? hint ?? id}, ended <At time={revoked_at ?? ends_at} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Key({ apiKey }: { apiKey: KeyJson }) {
  const { id, name, hint, scope, last_used_at, ends_at } = apiKey;
  const isRenamed = useSignal(false);
  const made = useSignal('');
  const path = { id };
  const own = typeof session.value === 'object' && session.value.key.id === id;
  const title = name ?? hint ?? id;
  const rotate = () =>
    attempt(async () => {
      made.value = (await send(rotateKey, { path })).key;
    });
  return (
    <li>
      <div class="row">
        <span class="grow">
          <b>{title}</b> <span class="state armed">{scope}</span>
          {own && <span class="small muted"> signed in with it</span>}
          <div class="small muted">
            {hint && `${hint} · `}used <Ago time={last_used_at} />
            {ends_at && (
              <>
                {' '}
                · ends <At time={ends_at} />
              </>
            )}
          </div>
        </span>
        {canWrite.value && (
          <>
            <button
              type="button"
              class="plain"
              aria-expanded={isRenamed.value}
              aria-label={`Rename ${title}`}
              onClick={() => {
                isRenamed.value = !isRenamed.value;
              }}
            >
              Rename
            </button>
            {!ends_at && (
              <button
                type="button"
                class="plain"
                aria-label={`Replace ${title}`}
                onClick={() => void rotate()}
              >
                Replace
              </button>
            )}
            <button
              type="button"
              class="plain danger"
              aria-label={`End ${title}`}
              onClick={() => toldLeaving(id, `Ended ${title}`, () => send(endKey, { path }))}
            >
              End
            </button>
          </>
        )}
      </div>
      {isRenamed.value && (
        <Rename
          apiKey={apiKey}
          onDone={() => {
            isRenamed.value = false;
          }}
        />
      )}
      {made.value !== '' && (
        <>
          <Secret label="The new key, shown once" value={made.value} />
          <p class="small muted">The old one works for another 24 hours.</p>
        </>
      )}
    </li>
  );
}

function Rename({ apiKey, onDone }: { apiKey: KeyJson; onDone: () => void }) {
  const form = useForm();
  const name = useSignal(apiKey.name ?? '');
  const path = { id: apiKey.id };
  async function rename(): Promise<void> {
    const before = apiKey.name;
    if (!(await submit(form, () => send(changeKey, { path, body: { name: name.value } })))) return;
    onDone();
    const undo = () => send(changeKey, { path, body: { name: before } });
    told(`Renamed to ${name.value}`, before === null ? undefined : undo);
  }
  return (
    <Form form={form} onSubmit={rename}>
      <Field form={form} name="name" label="New name">
        {(control) => (
          <span class="row">
            <input
              {...control}
              autocomplete="off"
              value={name.value}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value;
              }}
            />
            <button type="submit">Rename</button>
          </span>
        )}
      </Field>
    </Form>
  );
}

function NewKey() {
  const form = useForm();
  const name = useSignal('');
  const scope = useSignal<KeyJson['scope']>('read');
  const made = useSignal('');
  const own = typeof session.value === 'object' ? session.value.key.scope : 'read';
  async function make(): Promise<void> {
    const body = { name: name.value, scope: scope.value };
    await submit(form, async () => {
      made.value = (await send(makeKey, { body })).key;
      name.value = '';
    });
  }
  return (
    <Form form={form} onSubmit={make} class="inside">
      <TextField
        form={form}
        name="name"
        label="A new key, named by what it is for"
        placeholder="chat bot"
        value={name.value}
        onInput={(text) => {
          name.value = text;
        }}
      />
      <Field form={form} name="scope" label="It may">
        {(control) => (
          <select
            {...control}
            value={scope.value}
            onChange={({ currentTarget: { value } }) => {
              scope.value = scopesUpTo(own).find((each) => each === value) ?? 'read';
            }}
          >
            {scopesUpTo(own).map((each) => (
              <option key={each} value={each}>
                {scopeWords[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" disabled={form.isBusy.value}>
        Make a key
      </button>
      {made.value !== '' && <Secret label="The key, shown once" value={made.value} />}
    </Form>
  );
}
