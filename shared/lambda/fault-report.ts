// The one way by which the operator learns of a permanent fault that was set aside: a log line and a
// metric, whichever part of the code met it. It decides nothing, and no report ever fails its caller.

/** What kind of thing was set aside. */
export type FaultyThing =
  | 'catalog_row'
  | 'channel'
  | 'evaluation_history'
  | 'market_row'
  | 'owner_setting'
  | 'reconcile_item'
  | 'stored_item'
  | 'trigger';

/** One fault; `ids` say where it is and hold no secrets. */
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

/** Sets who hears of faults in this process. @returns a function that sets the listener before it again. */
export function listenForFaults(next: Listener): () => void {
  const before = listener;
  listener = next;
  return () => {
    listener = before;
  };
}

/** What an error says, for a record that people read; anything can be thrown. */
export function reasonOf(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is not an Error';
  return text.slice(0, 300).toWellFormed();
}
