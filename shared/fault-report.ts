// The only way to tell the operator about a permanent fault that was set aside: a log line and a
// metric. It decides nothing, and a failed report never fails its caller.

/** What kind of thing was set aside. */
export type FaultyThing =
  | 'catalog_row'
  | 'channel'
  | 'evaluation_history'
  | 'import_row'
  | 'job'
  | 'living_message'
  | 'market_row'
  | 'owner_setting'
  | 'reconcile_item'
  | 'stored_item'
  | 'telegram_update'
  | 'trigger';

/** One fault; `ids` identify the faulty thing and contain no secrets. */
export interface FaultReport {
  thing: FaultyThing;
  /** One plain sentence. */
  reason: string;
  ids?: Readonly<Record<string, string | number>>;
  error?: unknown;
}

type Listener = (report: FaultReport) => void;

let listener: Listener = () => {};

/** Reports a fault to the process's listener. */
export function reportFault(report: FaultReport): void {
  listener(report);
}

/** Sets the fault listener of this process. @returns a function that restores the previous listener. */
export function listenForFaults(next: Listener): () => void {
  const before = listener;
  listener = next;
  return () => {
    listener = before;
  };
}

/** An error's text for a record that people read; JavaScript can throw any value. */
export function reasonOf(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is not an Error';
  return text.slice(0, 300).toWellFormed();
}
