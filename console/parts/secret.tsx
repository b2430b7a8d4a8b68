// A secret that is shown once, with a button that copies it.
import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';

interface SecretProps {
  label: string;
  value: string;
}

export function Secret({ label, value }: SecretProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const said = useSignal('');
  async function copy(): Promise<void> {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      said.value = 'Copied';
    } catch {
      said.value = 'It is selected: copy it with the keys';
    }
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <input ref={field} id={id} class="secret" readOnly value={value} />
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p class="small muted" role="status">
        {said.value}
      </p>
    </div>
  );
}
