// The sender slots of each owner in the Watchlist table: one item; each acquisition is conditional on
// the previous one.

import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { $add, $set, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import {
  decideSlot,
  noSlot,
  receiverOf,
  type SenderSlots,
  type Slot,
  type SlotDecision,
  type TakeSlot,
} from '#shared/delivery/sender-slots.ts';
import { timing } from '#shared/timing.ts';
import { fromKey, orElse } from './attribute-readings.ts';
import { isNoNumber, writeIf, writeOrReplace } from './conditional-write.ts';
import { senderSlotsSchema } from './schemas/sender-slots-schema.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Each failed try means that another message of the owner took a slot; after these tries the message waits. */
const mostTries = 8;
const retryMs = 1_000;
const keptSeconds = 86_400;

/** @returns a function that acquires slots for messages; the receivers of one owner share a few. */
export function createSenderSlots(table: WatchlistTable): TakeSlot {
  const owners = new Entity({
    name: 'senderSlots',
    table,
    timestamps: false,
    schema: senderSlotsSchema,
    computeKey: ({ ownerId }) => ({ pk: `OWNER#${ownerId}`, sk: 'SENDER_SLOTS' }),
  });

  // Damaged slots count as free: their holders finish within a lease.
  const reading = leniently(owners, {
    ownerId: fromKey('OWNER#'),
    ...{ slots: orElse({}), moves: orElse(0), expiresAtEpochSeconds: orElse(0) },
  });

  function read(ownerId: string): Promise<SenderSlots | undefined> {
    const action = owners.build(GetItemCommand).key({ ownerId }).options({ consistent: true });
    return readOne(action, reading);
  }

  function write(
    ownerId: string,
    before: SenderSlots | undefined,
    { name, slot }: Extract<SlotDecision, { kind: 'take' }>,
  ): Promise<boolean> {
    const expiresAtEpochSeconds = Math.ceil(slot.until / 1_000) + keptSeconds;
    const moves = before?.moves ?? 0;
    const after = { ownerId, slots: { [name]: slot }, moves: moves + 1, expiresAtEpochSeconds };
    const condition = moves === 0 ? isNoNumber('moves') : ({ attr: 'moves', eq: moves } as const);
    const replace = () =>
      writeIf(() => owners.build(PutItemCommand).item(after).options({ condition }).send());
    if (moves === 0) return replace();
    const item = { ownerId, expiresAtEpochSeconds, moves: $add(1), slots: { [name]: $set(slot) } };
    const add = () =>
      writeIf(() => owners.build(UpdateItemCommand).item(item).options({ condition }).send());
    return writeOrReplace({ what: 'senderSlots', ids: { ownerId } }, add, replace);
  }

  /** Releases only the slot that was taken: after its lease it may belong to another message. */
  async function release(ownerId: string, name: string, slot: Slot, now: number): Promise<void> {
    const free = { ...slot, until: 0, tookMs: Math.max(0, now - slot.from) };
    await writeIf(() =>
      owners
        .build(UpdateItemCommand)
        .item({ ownerId, slots: { [name]: $set(free) } })
        .options({
          condition: {
            and: [
              { attr: `slots['${name}'].until`, eq: slot.until },
              { attr: `slots['${name}'].receiver`, eq: slot.receiver },
            ],
          },
        })
        .send(),
    );
  }

  return async function takeSlot(channel, now) {
    const { ownerId } = channel;
    const receiver = receiverOf(channel);
    if (receiver === undefined) return noSlot;
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const before = await read(ownerId);
      const lease = { now, until: now + timing.sendLeaseMs };
      const decision = decideSlot(before?.slots ?? {}, receiver, lease);
      if (decision.kind === 'busy') return decision;
      if (!(await write(ownerId, before, decision))) continue;
      const { name, slot } = decision;
      return {
        kind: 'held',
        // The message's outcome must be recorded even if the slot can't be released.
        release: (endedAt) => release(ownerId, name, slot, endedAt).catch(() => {}),
      };
    }
    return { kind: 'busy', until: now + retryMs };
  };
}
