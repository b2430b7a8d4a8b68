// What the bot says in a chat. Plain text, in which Telegram makes /stop a command that can be tapped.

export const linkedText = [
  'Linked. Price alerts come to this chat from now on.',
  'Each message has buttons for its alert, which everybody in this chat can use. /stop ends all messages here.',
].join('\n');

export const linkTexts = {
  unknown:
    'This link does not work. Open the whole link as Getin showed it, or make a new one there.',
  used: 'This link was used before: it works once. Make a new one in Getin.',
  expired: 'This link has expired: it works for a day. Make a new one in Getin.',
} as const;

const aboutBot =
  'This bot sends ticket price alerts of Getin. To get yours here, add a Telegram channel in Getin and open its link in this chat.';

export const helpText = [
  aboutBot,
  '/stop ends all messages here. /start says whether alerts come here.',
].join('\n');

export const notLinkedText = aboutBot;
export const activeText = 'Price alerts come to this chat. /stop ends them.';
export const stoppedText = 'Stopped. Nothing more comes here.';
export const nothingToStopText = 'Nothing comes to this chat.';
export const offText = 'Price alerts to this chat are stopped.';

export const notLinkedAnyMore = 'This chat is not linked any more, so the button does nothing.';
export const oldButton = 'This button no longer works. Use those of a newer message.';
