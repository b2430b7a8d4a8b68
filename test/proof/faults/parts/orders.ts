// The messages between the run and a part's process, and the part's side of them.

/** From the run to a part: an order; the answer has the same number. */
export interface Order {
  id: number;
  order: string;
  payload: unknown;
}

/** From a part to the run: once when it is ready, then an answer to each order. */
export type Reply =
  | { ready: unknown }
  | { failure: string }
  | { id: number; answer: unknown }
  | { id: number; error: string };

export type Handlers = Record<string, (payload: never) => unknown>;

/** Executes orders; when the run ends, the part ends too. */
export function takeOrders(handlers: Handlers): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ id, order, payload }: Order) => {
    try {
      const handle = handlers[order] as ((payload: unknown) => unknown) | undefined;
      if (!handle) throw new Error(`This part knows no order ${order}.`);
      reply({ id, answer: (await handle(payload)) ?? null });
    } catch (error) {
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}

/** Starts the part and reports whether that worked. */
export async function begin<Facts>(start: () => Promise<Facts>): Promise<void> {
  try {
    reply({ ready: await start() });
  } catch (error) {
    reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** The start data of the part. */
export function startData<Data>(): Data {
  return JSON.parse(process.argv[2] ?? '{}') as Data;
}

function reply(message: Reply): void {
  process.send?.(message);
}
