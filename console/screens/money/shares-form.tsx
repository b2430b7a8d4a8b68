// How much of the daily cap each owner may spend.
import { useSignal } from '@preact/signals';
import { changeBudget, listOwners } from '../../api/calls.ts';
import { readAll } from '../../api/read-all.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Form, submit, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { useLive } from '../../state/live.ts';
import { changedShares, percentOf, type Shares, sharesBefore } from './shares.ts';

const ownersEveryMs = 300_000;

export function SharesForm({ shares }: { shares: Shares }) {
  const form = useForm();
  const percents = useSignal<Readonly<Record<string, string>>>({});
  const { data } = useLive((signal) => readAll(listOwners, { signal }), [], ownersEveryMs);
  const change = changedShares(shares, percents.value);
  const isChanged = Object.keys(change).length > 0;

  async function save(): Promise<void> {
    const sent = send(changeBudget, { body: { owner_shares: change } });
    if (!(await submit(form, () => sent))) return;
    const body = { owner_shares: sharesBefore(shares, change) };
    told('Changed the shares', () => send(changeBudget, { body }));
  }

  return (
    <Card title="Shares of owners">
      <Form form={form} onSubmit={save} class="inside">
        {data.value?.map(({ id, name }) => (
          <label key={id} class="share">
            <span>{name}</span>
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              placeholder="no share"
              value={percents.value[id] ?? percentOf(shares[id])}
              onInput={({ currentTarget }) => {
                percents.value = { ...percents.value, [id]: currentTarget.value };
              }}
            />
            %
          </label>
        ))}
        <button type="submit" class="primary" disabled={!isChanged || form.isBusy.value}>
          Save
        </button>
        <p class="small muted">
          Percent of the daily cap that an owner’s watches may spend. Without a share an owner can
          spend all of it.
        </p>
      </Form>
    </Card>
  );
}
