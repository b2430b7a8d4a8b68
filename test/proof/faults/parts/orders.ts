// What the run and a part's process say to each other, and the part's side of it.

/** From the run to a part: something to do, answered under the same number. */
export interface Order {
  id: number;
  order: string;
  payload: unknown;
}

/** From a part to the run: once when it can be used, then an answer to each order. */
export type Reply =
  | { ready: unknown }
  | { failure: string }
  | { id: number; answer: unknown }
  | { id: number; error: string };

export type Handlers = Record<string, (payload: never) => unknown>;

/** Takes orders; without the run that gives them, the part ends. */
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

/** Starts the part and says whether that worked. */
export async function begin<Facts>(start: () => Promise<Facts>): Promise<void> {
  try {
    reply({ ready: await start() });
  } catch (error) {
    reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** What the part was started with. */
export function startData<Data>(): Data {
  return JSON.parse(process.argv[2] ?? '{}') as Data;
}

function reply(message: Reply): void {
  process.send?.(message);
}
