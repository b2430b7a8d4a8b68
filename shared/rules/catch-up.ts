// What a catch-up over several snapshots remembers while it runs: how far it has come, and the triggers that
// it has moved.
import type { Trigger } from './trigger.ts';

/**
 * What a catch-up over several snapshots did so far. It outranks the index, which may lag behind:
 * a trigger moved at one snapshot is matched at the next even if the index still has it elsewhere.
 */
export class CatchUp {
  readonly #moved = new Map<string, Trigger | null>();
  /** `observedAt` of the newest snapshot matched; older ones change nothing. */
  through: number;

  /** @param through where earlier runs have come to, epoch milliseconds. */
  constructor(through = Number.NEGATIVE_INFINITY) {
    this.through = through;
  }

  /** Notes a trigger as it is now; null when it is gone. A writer that lost to another says so here. */
  note(triggerId: string, trigger: Trigger | null): void {
    this.#moved.set(triggerId, trigger);
  }

  /** The trigger as this run knows it, or as it was found. */
  current(found: Trigger): Trigger | null {
    return this.#moved.has(found.triggerId) ? (this.#moved.get(found.triggerId) ?? null) : found;
  }

  /** As `current`, of a trigger that was not found yet; undefined when this run knows nothing of it. */
  known(triggerId: string): Trigger | null | undefined {
    return this.#moved.get(triggerId);
  }

  moved(): Trigger[] {
    return [...this.#moved.values()].filter((trigger) => trigger !== null);
  }
}
