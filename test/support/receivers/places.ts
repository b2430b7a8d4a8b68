// A receiver for each kind of channel that people read and that gets its messages by HTTP, and its address.
import type { AddressedTarget, ChannelKind } from '#shared/delivery/channels/channels.ts';
import { annsChat, botUrl } from '../telegram.ts';
import { createDiscordWebhook } from './discord.ts';
import { createNtfyServer } from './ntfy.ts';
import { createPushoverApp } from './pushover.ts';
import type { EmulatedReceiver } from './receiver.ts';
import { createSlackApi, createSlackWebhook } from './slack.ts';
import { createTeamsFlow } from './teams.ts';
import { EmulatedTelegram } from './telegram.ts';

export interface ReceiverPlace {
  receiver: EmulatedReceiver;
  target: AddressedTarget;
}

const botToken = `xoxb-${'0'.repeat(12)}`;
const pushoverKeys = { app: 'a'.repeat(30), user: 'u'.repeat(30) };

/** Fresh receivers, without messages. TypeScript reports a kind without one. */
export const receiverPlaces: Record<
  Exclude<ChannelKind, 'email' | 'webhook'>,
  () => ReceiverPlace
> = {
  slack: () => ({
    receiver: createSlackWebhook(),
    target: { kind: 'slack', url: 'https://hooks.slack.com/services/T/B/X' },
  }),
  slack_bot: () => ({
    receiver: createSlackApi({ token: botToken, channels: { C0123456789: 'joined' } }),
    target: { kind: 'slack_bot', token: botToken, channel: 'C0123456789' },
  }),
  discord: () => ({
    receiver: createDiscordWebhook({ id: '1', token: 'token' }),
    target: { kind: 'discord', url: 'https://discord.com/api/webhooks/1/token' },
  }),
  teams: () => ({
    receiver: createTeamsFlow(),
    target: { kind: 'teams', url: 'https://prod-1.westus.logic.azure.com/workflows/1?sig=token' },
  }),
  telegram() {
    const receiver = new EmulatedTelegram();
    receiver.addChat({ id: annsChat.id, type: 'private', username: 'ann' });
    return { receiver, target: { kind: 'telegram', chat: annsChat, botUrl } };
  },
  ntfy: () => ({
    receiver: createNtfyServer({ token: 'tk_1' }),
    target: { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'knicks', token: 'tk_1' },
  }),
  pushover: () => ({
    receiver: createPushoverApp({ token: pushoverKeys.app, users: { [pushoverKeys.user]: [] } }),
    target: { kind: 'pushover', userKey: pushoverKeys.user, appToken: pushoverKeys.app },
  }),
};
