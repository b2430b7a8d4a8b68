// Single writes of triggers. Each is conditional on the stamp that the trigger had when it was read.
import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $remove } from 'dynamodb-toolbox/entity/actions/update';
import { UpdateAttributesCommand } from 'dynamodb-toolbox/entity/actions/updateAttributes';
import type { Trigger } from '#shared/rules/trigger.ts';
import { writeIf } from './conditional-write.ts';
import type { EventShard } from './event-triggers.ts';
import { readOne } from './stored-items.ts';
import {
  isReadable,
  placeOf,
  placeOfUnreadable,
  type StoredTrigger,
  type TriggerEntity,
  triggerReading,
} from './trigger-item.ts';

/** No trigger is armed this often; a larger number is damaged. */
const latestGeneration = 1e14;

export function createTriggerWrites(triggers: TriggerEntity) {
  async function find(triggerId: string): Promise<StoredTrigger | undefined> {
    const found = await read(triggerId);
    return found && isReadable(found) ? found : undefined;
  }

  /** A trigger that matching may read; undefined for a parked one. */
  async function findMatched(triggerId: string): Promise<StoredTrigger | undefined> {
    const found = await read(triggerId);
    return found && isReadable(found) && found.isParked !== true ? found : undefined;
  }

  function read(triggerId: string) {
    const action = triggers.build(GetItemCommand).key({ triggerId }).options({ consistent: true });
    return readOne(action, triggerReading);
  }

  /**
   * A write also removes the record of a fault, unless the trigger has one, and puts a parked trigger back, unless it
   * parks it.
   */
  async function write(
    { trigger, stamp, setAside }: StoredTrigger,
    expected: string,
    isParked = false,
  ): Promise<boolean> {
    const { triggerId } = trigger;
    return writeIf(() =>
      triggers
        .build(UpdateAttributesCommand)
        .item({
          ...{ triggerId, stamp, trigger },
          ...placeOf(trigger, { isSetAside: setAside !== undefined, isParked }),
          setAside: setAside ?? $remove(),
          isParked: isParked ? true : $remove(),
        } as never)
        .options({ condition: { attr: 'stamp', eq: expected } })
        .send(),
    );
  }

  /** Moves an unreadable trigger out of the normal index ranges, and records why. */
  function writeUnreadable(
    { eventId, shard }: EventShard,
    { triggerId, stamp, setAside }: Omit<StoredTrigger, 'trigger'> & { triggerId: string },
  ): Promise<boolean> {
    return writeIf(() =>
      triggers
        .build(UpdateAttributesCommand)
        .item({ triggerId, stamp, setAside, ...placeOfUnreadable(eventId, shard) } as never)
        .options({ condition: { attr: 'triggerId', exists: true } })
        .send(),
    );
  }

  function put(trigger: Trigger, condition: object): Promise<boolean> {
    const { triggerId } = trigger;
    return writeIf(() =>
      triggers
        .build(PutItemCommand)
        .item({ triggerId, stamp: randomUUID(), trigger, ...placeOf(trigger) })
        .options({ condition: condition as never })
        .send(),
    );
  }

  /** Also replaces an unreadable trigger, with a generation that no alert has used. */
  async function replaceDamaged(triggerId: string, trigger: Trigger): Promise<boolean> {
    const there = await read(triggerId);
    if (!there || isReadable(there)) return false;
    const known = there.generation < latestGeneration ? there.generation : 0;
    const generation = Math.max(known, trigger.generation) + 1;
    return put({ ...trigger, generation }, { attr: 'stamp', eq: there.stamp });
  }

  function removeIf(triggerId: string, stamp: string): Promise<boolean> {
    return writeIf(() =>
      triggers
        .build(DeleteItemCommand)
        .key({ triggerId })
        .options({ condition: { attr: 'stamp', eq: stamp } })
        .send(),
    );
  }

  return { find, findMatched, read, write, writeUnreadable, put, replaceDamaged, removeIf };
}
