// Which tokens are links of ours.
import { describe, expect, it } from 'vitest';
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
