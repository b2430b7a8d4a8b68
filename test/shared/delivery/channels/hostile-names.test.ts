// Whatever the names from the market: a receiver of each kind accepts the message, and its readers see no markup,
// mention, emoji or link that a message with harmless names does not have.
import { describe, expect, it } from 'vitest';
import { channelRows } from '#shared/delivery/channels/channels.ts';
import {
  expectNoMarkupOfNames,
  messageForms,
  receiverKinds,
} from '#test/support/receivers/hostile-messages.ts';

it('every kind that people get by HTTP has an emulated receiver', () => {
  const chats = channelRows.filter(
    ({ sender, readBy }) => sender === 'webhook' && readBy === 'people',
  );
  expect([...receiverKinds].sort()).toEqual(chats.map(({ kind }) => kind).sort());
});

describe.each(receiverKinds)('%s', (kind) => {
  it.each(messageForms)('shows no markup of the market’s in %s', (_, form) => {
    expectNoMarkupOfNames(kind, form, 60);
  });
});
