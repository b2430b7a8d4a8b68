// An event's triggers, as one evaluation run reads and writes them: remembers what the run has read, so that
// each write is conditional on that.
import { randomUUID } from 'node:crypto';
import type { Trigger } from '#shared/rules/trigger.ts';
import type { IndexRange, TriggerIndex } from '#shared/rules/trigger-index.ts';
import { type SetAside, setAside } from '#shared/watchlist/set-aside.ts';
import {
  type StoredTrigger,
  settledPartition,
  type UnreadableTrigger,
  unsettledPartition,
} from './trigger-item.ts';

export interface EventTriggers {
  /** Index reads may lag behind the newest writes; `find` never does. */
  index: TriggerIndex;
  /** @returns false when another run changed or removed the trigger since this run read it. */
  move(next: Trigger): Promise<boolean>;
  /** Removes a trigger, unless another run changed it since this run read it. */
  retire(triggerId: string): Promise<boolean>;
  /** Triggers read since the last call whose stored item can't be parsed. */
  takeUnreadable(): UnreadableTrigger[];
  /** The fault recorded on a trigger before this run; undefined if there is none. */
  faultOf(triggerId: string): SetAside | undefined;
  /**
   * Records a fault and moves the trigger out of the normal index range until it is retried.
   * @returns the record; undefined when another run changed or removed the trigger meanwhile.
   */
  setAside(
    trigger: Trigger | UnreadableTrigger,
    fault: { reason: string; release: string; now: number },
  ): Promise<SetAside | undefined>;
  /** Resets `wasTruncated`. */
  beginReading(): void;
  /** Whether a range held more triggers than one read takes, since `beginReading`. */
  wasTruncated(): boolean;
}

type Range = { lte: number } | { gte: number };

interface TriggerAccess {
  find(triggerId: string): Promise<StoredTrigger | undefined>;
  readRange(
    partition: string,
    range?: Range,
  ): Promise<{ found: StoredTrigger[]; unreadable: UnreadableTrigger[]; isTruncated: boolean }>;
  write(next: StoredTrigger, expected: string): Promise<boolean>;
  writeUnreadable(
    place: EventShard,
    next: { triggerId: string; stamp: string; setAside: SetAside },
  ): Promise<boolean>;
  removeIf(triggerId: string, stamp: string): Promise<boolean>;
}

/** The triggers of one run: those of an event in one of its shards. */
export interface EventShard {
  eventId: number;
  /** @default the first */
  shard?: number | undefined;
}

/** @param isTried whether a trigger that was set aside is retried. @default each is */
export function openEventTriggers(
  place: EventShard,
  access: TriggerAccess,
  isTried: (fault: SetAside) => boolean = () => true,
): EventTriggers {
  const { eventId, shard } = place;
  const readStamps = new Map<string, string>();
  // What this run wrote or read by primary key is newer than the index.
  const ownStamps = new Map<string, string>();
  const faults = new Map<string, SetAside>();
  let unreadable: UnreadableTrigger[] = [];
  let isTruncated = false;
  const stampOf = (triggerId: string) => ownStamps.get(triggerId) ?? readStamps.get(triggerId);
  const isWaiting = (fault: SetAside | undefined) => fault !== undefined && !isTried(fault);

  async function read(partition: string, range?: Range): Promise<Trigger[]> {
    const answer = await access.readRange(partition, range);
    isTruncated ||= answer.isTruncated;
    unreadable.push(...answer.unreadable.filter((each) => !isWaiting(each.setAside)));
    const found = answer.found.filter((each) => !isWaiting(each.setAside));
    for (const { trigger, stamp, setAside: fault } of found) {
      readStamps.set(trigger.triggerId, stamp);
      if (fault) faults.set(trigger.triggerId, fault);
    }
    return found.map(({ trigger }) => trigger);
  }

  function readState(state: 'armed' | 'fired', { series, direction, value }: IndexRange) {
    const isAtOrAbove = (direction === 'down') === (state === 'armed');
    const partition = settledPartition({ eventId, series, direction, state, shard });
    return read(partition, isAtOrAbove ? { gte: value } : { lte: value });
  }

  return {
    index: {
      armedReachedBy: (range) => readState('armed', range),
      firedPassedBy: (range) => readState('fired', range),
      unsettled: () => read(unsettledPartition(eventId, shard)),
      find: async (triggerId) => {
        const found = await access.find(triggerId);
        if (!found) return null;
        ownStamps.set(triggerId, found.stamp);
        return found.trigger;
      },
    },
    async move(next) {
      const expected = stampOf(next.triggerId);
      const stamp = randomUUID();
      if (!expected || !(await access.write({ trigger: next, stamp }, expected))) return false;
      ownStamps.set(next.triggerId, stamp);
      return true;
    },
    async retire(triggerId) {
      const expected = stampOf(triggerId);
      return expected !== undefined && access.removeIf(triggerId, expected);
    },
    takeUnreadable() {
      const taken = unreadable;
      unreadable = [];
      return taken;
    },
    faultOf: (triggerId) => faults.get(triggerId),
    async setAside(trigger, fault) {
      const { triggerId } = trigger;
      const before = 'state' in trigger ? faults.get(triggerId) : trigger.setAside;
      const record = setAside(before, fault);
      const stamp = randomUUID();
      const isWritten =
        'state' in trigger
          ? await access.write({ trigger, stamp, setAside: record }, stampOf(triggerId) ?? '')
          : await access.writeUnreadable(place, { triggerId, stamp, setAside: record });
      if (!isWritten) return undefined;
      ownStamps.set(triggerId, stamp);
      faults.set(triggerId, record);
      return record;
    },
    beginReading: () => {
      isTruncated = false;
    },
    wasTruncated: () => isTruncated,
  };
}
