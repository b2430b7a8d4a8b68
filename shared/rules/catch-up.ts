// The state of a catch-up over several snapshots: the last snapshot matched, and the triggers that the run
// has moved.
import type { Trigger } from './trigger.ts';

/**
 * The moves of a catch-up so far. They win over the index, which may be stale: a trigger moved at one
 * snapshot is matched at the next in its new state, even if the index still has the old one.
 */
export class CatchUp {
  readonly #moved = new Map<string, Trigger | null>();
  /** `observedAt` of the newest snapshot matched; older ones change nothing. */
  through: number;

  /** @param through the last snapshot that earlier runs matched, epoch milliseconds. */
  constructor(through = Number.NEGATIVE_INFINITY) {
    this.through = through;
  }

  /**
   * Notes a trigger's state; null if it was deleted. A writer that lost a conditional write notes the
   * winner's.
   */
  note(triggerId: string, trigger: Trigger | null): void {
    this.#moved.set(triggerId, trigger);
  }

  /** The trigger in this run's state, else as found. */
  current(found: Trigger): Trigger | null {
    return this.#moved.has(found.triggerId) ? (this.#moved.get(found.triggerId) ?? null) : found;
  }

  /** As `current`, by id; undefined if this run has not moved the trigger. */
  known(triggerId: string): Trigger | null | undefined {
    return this.#moved.get(triggerId);
  }

  moved(): Trigger[] {
    return [...this.#moved.values()].filter((trigger) => trigger !== null);
  }
}
