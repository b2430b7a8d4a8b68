// The shared setup of the delivery tests: three channels, durations, and a rig over fresh tables.
import { beforeEach } from 'vitest';
import {
  aChannel,
  createDeliveryRig,
  type DeliveryRig,
  ownerId,
  startMs,
} from '#test/support/delivering.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const chat = aChannel();
export const mail = aChannel({
  channelId: 'ch_00000000000000000000000000000002',
  target: { kind: 'email', address: 'ann@example.com' },
});
export const hook = aChannel({
  channelId: 'ch_00000000000000000000000000000003',
  isImmediate: true,
  target: {
    kind: 'webhook',
    url: 'https://example.com/hook',
    secrets: [{ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', expiresAt: null }],
  },
});

/** Fresh tables and a rig before each test; `opened` has them during a test. */
export function openDeliveries() {
  const opened = {} as { tables: TestTables; rig: DeliveryRig };

  beforeEach(async () => {
    opened.tables = await startTestTables();
    opened.rig = await createDeliveryRig(opened.tables.stores);
    const createdAt = new Date(startMs).toISOString();
    await opened.tables.stores.access.createOwner({ ownerId, name: 'Ann', createdAt });
    return () => opened.tables.stop();
  });

  return {
    opened,
    /** Stores channels. @returns their ids. */
    make: async (...channels: ReturnType<typeof aChannel>[]): Promise<string[]> => {
      for (const channel of channels) await opened.tables.stores.channels.create(channel);
      return channels.map(({ channelId }) => channelId);
    },
    /** The prices in each message, in cents. */
    values: () => opened.rig.sent.map(({ told }) => told.map(({ alert }) => alert.base)),
    /** The decisions about an alert. */
    reasons: async (alertId: string) =>
      (await opened.rig.decisions(alertId)).map(({ kind, reason }) => [kind, reason]),
    statuses: async () => (await opened.rig.log()).map(({ status }) => status),
  };
}
