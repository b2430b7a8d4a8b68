/** The trigger index of one event in memory: for replays, tests and measurement. Persists nothing. */
import { SortedLevels } from './sorted-levels.ts';
import type { Trigger } from './trigger.ts';
import type { IndexRange, TriggerIndex } from './trigger-index.ts';

export class MemoryTriggerIndex implements TriggerIndex {
  readonly #byId = new Map<string, Trigger>();
  readonly #partitions = new Map<string, SortedLevels<Trigger>>();
  readonly #unsettled = new Map<string, Trigger>();

  get size(): number {
    return this.#byId.size;
  }

  /** Stores a trigger in place of the one with its id. */
  put(trigger: Trigger): void {
    this.#displace(trigger.triggerId);
    this.#byId.set(trigger.triggerId, trigger);
    if (trigger.state === 'new' || trigger.state === 'pending') {
      this.#unsettled.set(trigger.triggerId, trigger);
      return;
    }
    const key = partitionOf(trigger, trigger.state);
    const partition = this.#partitions.get(key) ?? new SortedLevels<Trigger>();
    this.#partitions.set(key, partition);
    partition.put(sortLevelOf(trigger), trigger.triggerId, trigger);
  }

  remove(triggerId: string): void {
    this.#displace(triggerId);
    this.#byId.delete(triggerId);
  }

  #displace(triggerId: string): void {
    const known = this.#byId.get(triggerId);
    if (!known || this.#unsettled.delete(triggerId)) return;
    this.#partitions.get(partitionOf(known, known.state))?.remove(sortLevelOf(known), triggerId);
  }

  armedReachedBy(range: IndexRange): Trigger[] {
    const partition = this.#partitions.get(partitionOf(range, 'armed'));
    if (!partition) return [];
    return range.direction === 'down'
      ? partition.from(range.value)
      : partition.through(range.value);
  }

  firedPassedBy(range: IndexRange): Trigger[] {
    const partition = this.#partitions.get(partitionOf(range, 'fired'));
    if (!partition) return [];
    return range.direction === 'down'
      ? partition.through(range.value)
      : partition.from(range.value);
  }

  unsettled(): Trigger[] {
    return [...this.#unsettled.values()];
  }

  find(triggerId: string): Trigger | null {
    return this.#byId.get(triggerId) ?? null;
  }

  /** Every trigger, in no order. */
  all(): Trigger[] {
    return [...this.#byId.values()];
  }
}

type Place = Pick<Trigger, 'series' | 'direction'>;

function partitionOf({ series, direction }: Place, state: Trigger['state']): string {
  return `${series} ${direction} ${state}`;
}

function sortLevelOf(trigger: Trigger): number {
  return trigger.state === 'fired' ? trigger.rearmLevel : trigger.level;
}
