// Which reads the alerts of one snapshot share.
import { describe, expect, it } from 'vitest';
import { shareReads } from '#functions/evaluate/shared-reads.ts';
import { aChannel } from '#test/support/api.ts';
import { startTestTables } from '#test/support/tables.ts';

const channelId = `ch_${'1'.repeat(32)}`;
const start = Date.parse('2026-03-01T12:00:00Z');

describe('a channel', () => {
  it('is read once a second while it is active', async () => {
    const { stores, stop } = await startTestTables();
    const clock = { now: start };
    const { channels } = shareReads(stores, () => clock.now);
    await stores.channels.create(aChannel(channelId, 'own_1'));
    await channels.find(channelId);
    await stores.channels.changeStatus(channelId, ['active'], { status: 'disabled' });
    expect((await channels.find(channelId))?.status).toBe('active');
    clock.now += 1_000;
    expect((await channels.find(channelId))?.status).toBe('disabled');
    await stop();
  });

  it('is read for each alert until it is confirmed', async () => {
    const { stores, stop } = await startTestTables();
    const { channels } = shareReads(stores, () => start);
    await stores.channels.create({ ...aChannel(channelId, 'own_1'), status: 'unverified' });
    await channels.find(channelId);
    await stores.channels.changeStatus(channelId, ['unverified'], { status: 'active' });
    expect((await channels.find(channelId))?.status).toBe('active');
    await stop();
  });
});
