// Runs two writers in every order of their steps. A step is one request to the table, or one call of a
// memory store; a writer waits before each step until the order gives it the turn.
import { AsyncLocalStorage } from 'node:async_hooks';

type Writer = 'a' | 'b';
/** One writer: its work, and its result. */
export type Write = () => Promise<unknown>;

interface Step {
  writer: Writer;
  run: () => Promise<void>;
}

/** The place where steps wait for their turn. */
export interface Turns {
  /** Runs a step when its writer has the turn, or at once when no order is active. */
  step<T>(run: () => Promise<T>): Promise<T>;
  /** Runs both writers in the order that starts with `chosen`. @returns the choice at each turn. */
  run(writes: Record<Writer, Write>, chosen: readonly Writer[]): Promise<Run>;
}

export interface Run {
  a: unknown;
  b: unknown;
  /** The writer chosen each time that both waited. */
  choices: Writer[];
}

export function createTurns(): Turns {
  const actor = new AsyncLocalStorage<Writer>();
  let waiting: Step[] = [];

  function step<T>(run: () => Promise<T>): Promise<T> {
    const writer = actor.getStore();
    if (writer === undefined) return run();
    return new Promise((resolve, reject) => {
      waiting.push({ writer, run: () => run().then(resolve, reject) });
    });
  }

  /** Runs the steps of the chosen writer, until both have ended. */
  async function takeTurns(isOver: () => boolean, chosen: readonly Writer[]): Promise<Writer[]> {
    const choices: Writer[] = [];
    let last: Writer = 'a';
    for (;;) {
      await writersWait();
      const next = nextStep(waiting, () => {
        const choice = chosen[choices.length] ?? last;
        choices.push(choice);
        return choice;
      });
      if (!next) {
        if (isOver()) return choices;
        continue;
      }
      last = next.writer;
      waiting = waiting.filter((step) => step !== next);
      await actor.exit(next.run);
    }
  }

  return {
    step,
    async run(writes, chosen) {
      const told: Partial<Record<Writer, unknown>> = {};
      const done = (['a', 'b'] as const).map((writer) =>
        actor.run(writer, async () => {
          told[writer] = await outcomeOf(writes[writer]);
        }),
      );
      const choices = await takeTurns(() => 'a' in told && 'b' in told, chosen);
      await Promise.all(done);
      return { a: told.a, b: told.b, choices };
    },
  };
}

function nextStep(waiting: readonly Step[], choose: () => Writer): Step | undefined {
  const [first] = waiting;
  const hasBoth = waiting.some(({ writer }) => writer !== first?.writer);
  if (!hasBoth) return first;
  const writer = choose();
  return waiting.find((step) => step.writer === writer);
}

/** Between two requests, a writer's own code only awaits promises, so it finishes within one turn of the event loop. */
function writersWait(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function outcomeOf(write: Write): Promise<unknown> {
  try {
    return await write();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

const otherThan = { a: 'b', b: 'a' } as const;

/**
 * Every order of two writers, each on a fresh state, in which a writer that could continue loses its
 * turn at most `interruptions` times. With three, two writers of two steps have all their orders;
 * for longer writers, the number of orders grows with the power of `interruptions`.
 */
export async function inEveryOrder(
  { turns, interruptions }: { turns: Turns; interruptions: number },
  begin: () => Promise<Record<Writer, Write>>,
  see: (run: Run) => Promise<void>,
): Promise<void> {
  const open: { chosen: Writer[]; left: number }[] = [
    { chosen: ['a'], left: interruptions },
    { chosen: ['b'], left: interruptions },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { chosen, left } = next;
    const run = await turns.run(await begin(), chosen);
    await see(run);
    if (left === 0) continue;
    run.choices.forEach((choice, turn) => {
      if (turn < chosen.length) return;
      open.push({ chosen: [...run.choices.slice(0, turn), otherThan[choice]], left: left - 1 });
    });
  }
}
