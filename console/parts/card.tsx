// A card with its title, as a region that a screen reader lists.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  title: string;
  /** Beside the title: a number, a choice, a link. */
  also?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export function Card({ title, also, class: name = '', children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <div class="bar">
        <h2 id={id}>{title}</h2>
        {also}
      </div>
      {children}
    </section>
  );
}
