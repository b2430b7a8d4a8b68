// A card that a person opens.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface FoldedCardProps {
  title: string;
  note: string;
  /** Made when it is opened, and again at each opening. */
  children: () => ComponentChildren;
}

export function FoldedCard({ title, note, children }: FoldedCardProps) {
  const isOpen = useSignal(false);
  return (
    <details
      class="card"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary class="bar">
        <h2>{title}</h2>
        <span class="small muted">{note}</span>
      </summary>
      {isOpen.value && children()}
    </details>
  );
}
