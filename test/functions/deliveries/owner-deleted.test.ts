// Nothing more is sent for an owner that is being deleted, though its channels are still there.
import { beforeEach, describe, expect, it } from 'vitest';
import { newDelivery, purposes } from '#shared/delivery/delivery.ts';
import {
  aChannel,
  below80,
  createDeliveryRig,
  ownerId,
  startMs,
} from '#test/support/delivering.ts';
import { startTestTables } from '#test/support/tables.ts';

type Rig = Awaited<ReturnType<typeof createDeliveryRig>>;
let rig: Rig;

beforeEach(async () => {
  const tables = await startTestTables();
  rig = await createDeliveryRig(tables.stores);
  const createdAt = new Date(startMs).toISOString();
  await rig.stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
  await rig.stores.channels.create(aChannel());
  return () => tables.stop();
});

const beginDeletion = () =>
  rig.stores.access.beginDeletion(ownerId, { deletionId: 'del_1', since: startMs });

describe('an owner that is being deleted', () => {
  it('gets no alert that was raised before', async () => {
    const watch = await rig.watch([below80], [aChannel().channelId]);
    await rig.fire(watch);
    await beginDeletion();
    await rig.drain();
    expect(rig.sent).toEqual([]);
    expect(await rig.log()).toMatchObject([{ status: 'suppressed', lastReason: 'owner_deleted' }]);
  });

  it.each(purposes.filter((purpose) => purpose !== 'alert'))('gets no %s', async (purpose) => {
    const { channelId } = aChannel();
    const delivery = newDelivery(
      { deliveryId: `dlv_${purpose}`, purpose, ownerId, channelId, channelKind: 'slack' },
      { now: startMs },
    );
    await rig.stores.deliveries.create(delivery);
    await beginDeletion();
    await rig.attempt(delivery.deliveryId);
    expect(rig.sent).toEqual([]);
    expect(await rig.log()).toMatchObject([{ status: 'suppressed' }]);
  });
});
