// The caps of the deployment, below those that it was deployed with.
import { useSignal } from '@preact/signals';
import { type BudgetJson, changeBudget } from '../../api/calls.ts';
import { send } from '../../api/send.ts';
import { Card } from '../../parts/card.tsx';
import { Form, submit, TextField, useForm } from '../../parts/form.tsx';
import { told } from '../../parts/toasts.tsx';
import { count } from '../../words/amounts.ts';
import { numberIn } from '../../words/typed-number.ts';

type Settings = BudgetJson['settings'];

const fields = [
  { name: 'daily_cap', deployed: 'deployed_daily_cap', label: 'Pulls a day, at most' },
  {
    name: 'monthly_cap',
    deployed: 'deployed_monthly_cap',
    label: 'Pulls a billing period, at most',
  },
] as const;

type Caps = Record<'daily_cap' | 'monthly_cap', number | string | null>;

/** A cap as it is written; null for none. The API refuses a text that is no number. */
function capOf(text: string): number | string | null {
  return text.trim() === '' ? null : (numberIn(text) ?? text);
}

export function CapsForm({ settings }: { settings: Settings }) {
  const form = useForm();
  const { daily_cap, monthly_cap } = settings;
  const texts = useSignal({
    daily_cap: String(daily_cap ?? ''),
    monthly_cap: String(monthly_cap ?? ''),
  });
  const wanted: Caps = {
    daily_cap: capOf(texts.value.daily_cap),
    monthly_cap: capOf(texts.value.monthly_cap),
  };
  const before: Caps = { daily_cap, monthly_cap };
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(before);

  async function save(): Promise<void> {
    if (!(await submit(form, () => send(changeBudget, { body: wanted })))) return;
    told('Changed the caps', () => send(changeBudget, { body: before }));
  }

  return (
    <Card title="Caps">
      <Form form={form} onSubmit={save} class="inside">
        {fields.map(({ name, deployed, label }) => (
          <TextField
            key={name}
            form={form}
            name={name}
            label={label}
            hint={`Empty: the deployment’s own ${count(settings[deployed])}, which no cap can exceed.`}
            inputMode="numeric"
            placeholder={count(settings[deployed])}
            value={texts.value[name]}
            onInput={(text) => {
              texts.value = { ...texts.value, [name]: text };
            }}
          />
        ))}
        <button type="submit" class="primary" disabled={!isChanged || form.isBusy.value}>
          Save
        </button>
        <p class="small muted">
          Near a cap polls are spaced wider, and at it they stop until the next day or period.
          Nothing is lost: the next pull brings what happened since.
        </p>
      </Form>
    </Card>
  );
}
