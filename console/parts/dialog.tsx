// A dialog over the screen: the browser's own, so that Escape, focus and the screen reader work.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { openDialogs, Toasts } from './toasts.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
    openDialogs.value += 1;
    return () => {
      openDialogs.value -= 1;
    };
  }, []);
  /** A press on the backdrop closes it; the content covers the dialog itself. */
  function onPress(event: MouseEvent): void {
    if (event.target === dialog.current) dialog.current?.close();
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose} onClick={onPress}>
      <div class="dialog">
        <div class="bar">
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            class="plain"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            ×
          </button>
        </div>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}
