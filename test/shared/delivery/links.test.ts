// Which tokens are links of ours.
import { describe, expect, it } from 'vitest';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import { createLinks } from '#shared/delivery/links.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const weekMs = 7 * 86_400_000;
const channelId = `ch_${'1f'.repeat(16)}`;
const links = createLinks(async () => 'a secret', 'https://getin.example');
const tokenOf = (url: string) => url.replace('https://getin.example/l/', '');
const manage = async () => tokenOf(await links.manageUrl(channelId));
const confirm = async () => tokenOf(await links.confirmUrl(channelId, now));

describe('a link', () => {
  it('to manage a channel names it, and never expires', async () => {
    const expected = { action: 'manage', channelId };
    expect(await links.read(await manage(), now + 1_000 * weekMs)).toEqual(expected);
  });

  it('to confirm an address ends after a week', async () => {
    const token = await confirm();
    expect(await links.read(token, now + weekMs - 1)).toEqual({ action: 'confirm', channelId });
    expect(await links.read(token, now + weekMs)).toBeUndefined();
  });

  it.each<[string, (token: string) => string]>([
    ['empty', () => ''],
    ['cut', (token) => token.slice(0, -2)],
    ['cut to its signature', (token) => token.slice(-20)],
    ['longer', (token) => `${token}AAAA`],
    ['turned into another action', (token) => `b${token.slice(1)}`],
    ['changed at its end', (token) => `${token.slice(0, -4)}AAAA`],
    ['no base64', () => '☎'.repeat(52)],
  ])('that is %s is none of ours', async (_title, change) => {
    expect(await links.read(change(await confirm()), now)).toBeUndefined();
  });

  it('of another deployment is none of ours', async () => {
    const others = createLinks(async () => 'another secret', 'https://getin.example');
    expect(await others.read(await manage(), now)).toBeUndefined();
  });
});

describe('the links that a sender makes from the stop address of a channel', () => {
  const alertId = `alt_${'2e'.repeat(16)}_0_3_r`;
  const alertLinks = async () => {
    const made = createAlertLinks(await links.manageUrl(channelId));
    if (!made) throw new Error('a stop address has a token');
    return made;
  };
  const pageToken = async () => tokenOf((await alertLinks()).pageUrl(alertId));

  it('name the channel and the alert, and never expire', async () => {
    const later = now + 1_000 * weekMs;
    const named = { channelId, alertId };
    expect(await links.read(await pageToken(), later)).toEqual({ action: 'alert', ...named });
    const chart = (await alertLinks()).chartUrl(alertId);
    const [, token = ''] = /^https:\/\/getin\.example\/c\/(.+)\.png$/.exec(chart) ?? [];
    expect(await links.read(token, later)).toEqual({ action: 'chart', ...named });
  });

  it('name the action to show first in the query, so that one token has all actions', async () => {
    const { pageUrl } = await alertLinks();
    expect(pageUrl(alertId, 'bought')).toBe(`${pageUrl(alertId)}?do=bought`);
  });

  it('are short enough for a button of every chat', async () => {
    expect((await alertLinks()).pageUrl(alertId, 'level_down').length).toBeLessThan(200);
  });

  it.each<[string, (bytes: Buffer) => void]>([
    ['of another alert', (bytes) => bytes.write('3', 30)],
    ['of another channel', (bytes) => bytes.writeUInt8(9, 4)],
    ['turned into a chart', (bytes) => bytes.write('g', 0)],
    ['turned into a stop link', (bytes) => bytes.write('m', 0)],
  ])('are none of ours when they are made to be one %s', async (_title, change) => {
    const bytes = Buffer.from(await pageToken(), 'base64url');
    change(bytes);
    expect(await links.read(bytes.toString('base64url'), now)).toBeUndefined();
  });

  it('do not exist for a channel without a stop address', () => {
    expect(createAlertLinks('')).toBeUndefined();
  });
});
