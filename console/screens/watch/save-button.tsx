// The button that saves a watch, and why it can't, or what the API refused.
import { useSignal } from '@preact/signals';
import { RefusedError } from '../../api/errors.ts';
import { Link } from '../../parts/link.tsx';
import { refreshAll } from '../../state/live.ts';
import type { Composition } from './composition.ts';
import { faultsOf } from './rule-faults.ts';

interface SaveButtonProps {
  composition: Composition;
  text: string;
  /** Why it can't be saved now; empty if it can. */
  why: string;
  save: () => Promise<unknown>;
}

export function SaveButton({ composition, text, why, save }: SaveButtonProps) {
  const isBusy = useSignal(false);
  const failure = useSignal<Error | undefined>(undefined);

  async function press(): Promise<void> {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await save();
      refreshAll();
    } catch (error) {
      composition.faults.value = faultsOf(error);
      failure.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={isBusy.value || why !== ''}
        onClick={() => void press()}
      >
        {text}
      </button>
      {why !== '' && <span class="small muted">{why}</span>}
      {failure.value && <Refusal error={failure.value} />}
    </>
  );
}

/** What a person reads first: without the places, which stand at their slots. */
function Refusal({ error }: { error: Error }) {
  const existing = error instanceof RefusedError ? error.members.watch_id : undefined;
  return (
    <p class="alarm-text" role="alert">
      {typeof existing === 'string' ? (
        <>
          You have this watch already.{' '}
          <Link to={`/watches/${existing}`} class="link">
            Open it
          </Link>
        </>
      ) : (
        error.message
      )}
    </p>
  );
}
