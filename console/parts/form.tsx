// A form whose faults are shown at the field that the API names.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import { RefusedError } from '../api/errors.ts';
import { refreshAll } from '../state/live.ts';
import { faultsByField } from './faults-by-field.ts';

/** What a form knows while a person fills it in. */
export interface FormState {
  /** By the name of the field: what is wrong with it. */
  faults: Signal<Readonly<Record<string, string>>>;
  /** What is wrong with the whole. */
  problem: Signal<string>;
  isBusy: Signal<boolean>;
  /** The fields that are on the screen. */
  shown: Set<string>;
}

export function useForm(): FormState {
  const faults = useSignal<Readonly<Record<string, string>>>({});
  const problem = useSignal('');
  const isBusy = useSignal(false);
  return useMemo(() => ({ faults, problem, isBusy, shown: new Set<string>() }), []);
}

/** Sends what a form asks for, and keeps what the API says is wrong with it. @returns whether it was done */
export async function submit(form: FormState, act: () => Promise<unknown>): Promise<boolean> {
  form.isBusy.value = true;
  form.faults.value = {};
  form.problem.value = '';
  try {
    await act();
    refreshAll();
    return true;
  } catch (error) {
    const faults = error instanceof RefusedError ? faultsByField(error.faults) : {};
    const others = Object.entries(faults).filter(([name]) => !form.shown.has(name));
    form.faults.value = faults;
    if (Object.keys(faults).length === 0) form.problem.value = (error as Error).message;
    else form.problem.value = others.map(([name, detail]) => `${name} ${detail}`).join('; ');
    return false;
  } finally {
    form.isBusy.value = false;
  }
}

interface FormProps {
  form: FormState;
  onSubmit: () => Promise<unknown>;
  children: ComponentChildren;
  class?: string;
}

/** Native, so that Enter sends it. After a refusal the focus is on the first field with a fault. */
export function Form({ form, onSubmit, children, class: name = '' }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  async function send(event: Event): Promise<void> {
    event.preventDefault();
    if (form.isBusy.value) return;
    await onSubmit();
    requestAnimationFrame(() => {
      element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    });
  }
  return (
    <form ref={element} class={`form ${name}`} noValidate onSubmit={(event) => void send(event)}>
      {children}
      {form.problem.value !== '' && (
        <p class="alarm-text" role="alert">
          {form.problem.value}
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  form: FormState;
  /** As the API names it. */
  name: string;
  label: string;
  hint?: string | null | undefined;
  /** The control takes these attributes. */
  children: (control: {
    id: string;
    'aria-invalid'?: true;
    'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** A label, its control, what to know, and what is wrong. */
export function Field({ form, name, label, hint, children }: FieldProps) {
  const id = useId();
  form.shown.add(name);
  const fault = form.faults.value[name];
  const about = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(fault && { 'aria-invalid': true as const }),
        ...(about && { 'aria-describedby': about }),
      })}
      {hint && (
        <p id={`${id}-hint`} class="small muted">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} class="small alarm-text">
          {label} {fault}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  autocomplete?: 'off' | 'name';
  inputMode?: 'text' | 'numeric';
}

/** A field of one line of text. */
export function TextField({ form, name, label, hint, onInput, ...input }: TextFieldProps) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          autocomplete="off"
          {...input}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Saves what a person changed; there is nothing to press before. */
export function SaveButton({ form, change }: { form: FormState; change: object }) {
  const isIdle = form.isBusy.value || Object.keys(change).length === 0;
  return (
    <button type="submit" class="primary" disabled={isIdle}>
      Save
    </button>
  );
}
