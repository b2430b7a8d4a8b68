// A link within the desk: opens without a reload, and in a new tab where the person asks for one.
import type { ComponentChildren } from 'preact';
import { base, open } from '../router.ts';

interface LinkProps {
  /** After /console, such as `/events/4711`. */
  to: string;
  children: ComponentChildren;
  class?: string;
  'aria-current'?: 'page';
  'aria-label'?: string;
  /** Called before it opens. */
  onFollow?: () => void;
}

export function Link({ to, children, onFollow, ...rest }: LinkProps) {
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    onFollow?.();
    open(to);
  }
  return (
    <a {...rest} href={base + to} onClick={follow}>
      {children}
    </a>
  );
}
