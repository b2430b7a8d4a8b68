// The kinds of channels as a form reads them, against the bodies that the API takes.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { channelRows } from '#shared/delivery/channels/channels.ts';
import { newChannelSettings } from '#shared/watchlist/channel.ts';
import { type Api, startApi } from '#test/support/api.ts';
import { webhookSecret } from '#test/support/telegram.ts';

async function kindsOf(also: Parameters<typeof startApi>[2] = {}) {
  const api: Api = await startApi({}, undefined, also);
  try {
    const { status, body } = await api.call('/v1/channel-kinds');
    expect(status).toBe(200);
    return body.data as {
      kind: string;
      available: boolean;
      steps: string[];
      fields: { name: string; required: boolean; can_change: boolean }[];
    }[];
  } finally {
    await api.stop();
  }
}

describe('GET /v1/channel-kinds', () => {
  it('has the fields of every kind’s body, and says which are needed and which can be changed', async () => {
    const kinds = await kindsOf();
    const told = kinds.map(({ kind, fields }) => [
      kind,
      Object.fromEntries(
        fields.map(({ name, ...rest }) => [name, [rest.required, rest.can_change]]),
      ),
    ]);
    const taken = channelRows.map(({ kind, wanted, changes }) => {
      const { shape } = wanted as unknown as z.ZodObject;
      const settings = Object.keys({ kind, ...newChannelSettings });
      const own = Object.entries(shape).filter(([name]) => !settings.includes(name));
      const facts = own.map(([name, field]) => {
        const isRequired = !z.safeParse(field, undefined).success;
        return [name, [isRequired, Object.hasOwn(changes, name)]];
      });
      return [kind, Object.fromEntries(facts)];
    });
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(taken));
    expect(kinds.filter(({ steps }) => steps.length === 0)).toEqual([]);
  });

  it('says that Telegram is not available where the deployment has no bot', async () => {
    const unavailable = async (also?: Parameters<typeof startApi>[2]) =>
      (await kindsOf(also)).filter(({ available }) => !available).map(({ kind }) => kind);
    expect(await unavailable()).toEqual([]);
    const none = JSON.stringify({ token: '', username: '', webhookSecret });
    expect(await unavailable({ botSecret: none })).toEqual(['telegram']);
    expect(await unavailable({ botSecret: 'damaged' })).toEqual([]);
  });
});
