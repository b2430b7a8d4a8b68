// What becomes of a delivery that was unfinished at the moment of the backup.
import { expect, it } from 'vitest';
import { type Delivery, newDelivery } from '#shared/delivery/delivery.ts';
import { decideRestored } from '#shared/delivery/restored-delivery.ts';

const stoppedAt = 10_000;
const waiting = newDelivery(
  {
    deliveryId: 'dlv_1',
    purpose: 'alert',
    ownerId: 'own_1',
    channelId: 'ch_1',
    channelKind: 'email',
  },
  { now: 1_000 },
);
const with_ = (changes: Partial<Delivery>): Delivery => ({ ...waiting, ...changes });

it.each<[string, Delivery, Delivery | undefined, string]>([
  ['is sent as usual if nobody has tried it since', waiting, waiting, 'keep not_tried'],
  [
    'is sent as usual if it was not due before the stop',
    with_({ nextAttemptAt: 10_001 }),
    undefined,
    'keep due_later',
  ],
  ['stays as it is if it was finished', with_({ status: 'sent' }), undefined, 'keep finished'],
  ['is sent if the witness says so', waiting, with_({ status: 'sent', claims: 1 }), 'adopt '],
  ['failed if the witness says so', waiting, with_({ status: 'failed', claims: 9 }), 'adopt '],
  ['waits for its next try if the last one failed since', waiting, with_({ claims: 2 }), 'adopt '],
  [
    'goes on if its try of then failed',
    with_({ status: 'sending', claims: 1 }),
    with_({ claims: 1 }),
    'adopt ',
  ],
  [
    'was perhaps sent if its sender was stopped',
    waiting,
    with_({ status: 'sending', claims: 1 }),
    'perhaps_sent was_sending',
  ],
  ['was perhaps sent if nothing is known of it', waiting, undefined, 'perhaps_sent no_witness'],
  [
    'was perhaps sent if it was due when all stopped',
    with_({ nextAttemptAt: stoppedAt }),
    undefined,
    'perhaps_sent no_witness',
  ],
])('%s', (_, restored, witness, expected) => {
  const decided = decideRestored(restored, witness, stoppedAt);
  expect(`${decided.kind} ${'reason' in decided ? decided.reason : ''}`).toBe(expected);
});
