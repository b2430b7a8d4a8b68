// Short notes at the bottom: what was done, with an undo for ten seconds, or what failed.
import { signal } from '@preact/signals';
import { refreshAll } from '../state/live.ts';

const shownMs = 10_000;

interface Toast {
  id: number;
  text: string;
  isFailure: boolean;
  undo?: (() => Promise<unknown>) | undefined;
  /** Is carried out when the note closes without an undo. */
  act?: (() => Promise<unknown>) | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let made = 0;

/** While there is one, nothing outside of it can be pressed, so it shows the notes. */
export const openDialogs = signal(0);

function show(toast: Omit<Toast, 'id'>): void {
  made += 1;
  const id = made;
  // The newest undo is the one that a person wants; older notes give way.
  for (const older of toasts.value.slice(0, -2)) void close(older.id);
  toasts.value = [...toasts.value, { ...toast, id }];
  setTimeout(() => void close(id), shownMs);
}

async function close(id: number): Promise<void> {
  const closed = toasts.value.find((toast) => toast.id === id);
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
  await closed?.act?.();
}

/** What goes on, in a note that stays until it is over. */
interface Running {
  id: number;
  text: string;
  stop: () => Promise<unknown>;
}

const running = signal<readonly Running[]>([]);

/** A note that says how far something is. `stop` ends it early. */
export function openNote(stop: Running['stop']) {
  made += 1;
  const id = made;
  const others = () => running.value.filter((note) => note.id !== id);
  return {
    say(text: string): void {
      running.value = [...others(), { id, text, stop }];
    },
    close(): void {
      running.value = others();
    },
  };
}

/** Says what was done. `undo` takes it back. */
export function told(text: string, undo?: () => Promise<unknown>): void {
  show({ text, isFailure: false, undo });
}

/** The ids of what is about to be deleted; lists leave it out. */
export const leaving = signal<ReadonlySet<string>>(new Set());

/** Says that something is deleted, and deletes it ten seconds later unless that is taken back: what the API can't undo. */
export function toldLeaving(id: string, text: string, remove: () => Promise<unknown>): void {
  const isLeaving = (is: boolean) => {
    const others = [...leaving.value].filter((each) => each !== id);
    leaving.value = new Set(is ? [...others, id] : others);
  };
  isLeaving(true);
  const undo = async () => isLeaving(false);
  const act = async () => {
    if (!(await attempt(remove))) isLeaving(false);
  };
  show({ text, isFailure: false, undo, act });
}

/** Carries out at once what waits for its note to close. */
export async function carryOutWaiting(): Promise<void> {
  await Promise.all(toasts.value.filter(({ act }) => act).map(({ id }) => close(id)));
}

/** Says why something was not done. */
export function failed(error: unknown): void {
  show({ text: error instanceof Error ? error.message : String(error), isFailure: true });
}

/** Carries out what a person asked for, and says why if it fails. @returns whether it was done */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    refreshAll();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

/** Takes back the newest change that can be taken back. @returns false if there is none */
export function undoNewest(): boolean {
  const toast = toasts.value.findLast(({ undo }) => undo);
  if (!toast) return false;
  void carryBack(toast);
  return true;
}

async function carryBack({ id, undo, text }: Toast): Promise<void> {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
  if (undo && (await attempt(undo))) told(`Undone: ${text}`);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {running.value.map(({ id, text, stop }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          <button type="button" onClick={() => void attempt(stop)}>
            Stop
          </button>
        </div>
      ))}
      {toasts.value.map((toast) => (
        <div key={toast.id} class={toast.isFailure ? 'toast alarm' : 'toast'}>
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" onClick={() => void carryBack(toast)}>
              Undo
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-label="Close"
            onClick={() => void close(toast.id)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
