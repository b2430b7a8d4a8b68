// A message in a Telegram chat: what its reader sees, its limits, names that would link or mention, its buttons, and
// the meaning of the answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outgoing } from '#shared/delivery/channels/channel-kind.ts';
import { renderTelegram, telegram, telegramForm } from '#shared/delivery/channels/telegram.ts';
import { createAlertExtras } from '#shared/delivery/message/alert-extras.ts';
import { composeMessage } from '#shared/delivery/message/message.ts';
import { alertsMessage } from '#shared/delivery/message/message-kinds.ts';
import { alertMarkOf, isSignedFor, readButtonData } from '#shared/delivery/telegram/button-data.ts';
import { untappable } from '#shared/delivery/telegram/plain-text.ts';
import { anAlert, hostileNames, reading } from '#test/support/alerts.ts';
import { signedLinks } from '#test/support/api.ts';
import { messageNaming } from '#test/support/messages.ts';
import { receiverPlaces } from '#test/support/receivers/places.ts';
import {
  botToken,
  type EmulatedMessage,
  EmulatedTelegram,
} from '#test/support/receivers/telegram.ts';
import { findTappable } from '#test/support/receivers/telegram-text.ts';
import { annsChat, botUrl } from '#test/support/telegram.ts';

const deliveryId = `dlv_${'0123456789abcdef'.repeat(2)}`;
const channelId = `ch_${'1'.repeat(32)}`;
const stopUrl = await signedLinks.manageUrl(channelId);
const target = { kind: 'telegram', chat: annsChat, botUrl } as const;
const outgoing = (message: Outgoing['message'], also: Partial<Outgoing> = {}): Outgoing => ({
  ...{ deliveryId, dueAt: 0, message, told: [], heldFor: undefined },
  ...also,
});

/** Sends a message to the emulated Telegram. */
function sent(of: Outgoing): EmulatedMessage {
  const telegramServer = new EmulatedTelegram();
  telegramServer.addChat({ id: annsChat.id, type: 'private' });
  const { status, excerpt } = telegramServer.answer(telegramForm.request(of, target, 0), 1);
  expect(excerpt.slice(0, 200)).toContain('"ok":true');
  expect(status).toBe(200);
  const [message] = telegramServer.sent;
  if (!message) throw new Error('nothing was sent');
  return message;
}

/** The message of one alert with its page, its acts and its chart. */
function alertMessage(changes: Parameters<typeof anAlert>[0] = {}) {
  const alert = anAlert({ alertId: 'alt_0190_1', tmEventId: 'G5', ...changes });
  const extrasOf = createAlertExtras(stopUrl, []);
  return alertsMessage([composeMessage(alert, { ...reading, extrasOf })], { stopUrl });
}

/** What is ours: bold lines, and links to our pages. */
function foreignEntities({ entities }: EmulatedMessage) {
  return entities.filter(
    ({ type, url = '' }) =>
      type !== 'bold' && !(type === 'text_link' && url.startsWith('https://getin.example/')),
  );
}

describe.each(hostileNames.map((name) => [name.slice(0, 40), name]))('the name %j', (_, name) => {
  it.each([1, 40])('stays text within the limits, in a message of %i', (count) => {
    const message = sent(outgoing(messageNaming(name, count)));
    expect(foreignEntities(message)).toEqual([]);
    expect([...message.text].length).toBeLessThanOrEqual(3_900);
    expect(message.text.isWellFormed()).toBe(true);
  });
});

/** Pieces of names that Telegram makes something of. */
const pieces = [
  ...['@admin', '@GetinBot', '/stop', '/start@x_bot', '#resale', '$TSLA', '$1INCH', '#1a#b'],
  ...[
    't.me/evil',
    'evil.example',
    'http://evil.example/?a=1',
    'https://ev\u0131l.example',
    'a.b.co',
  ],
  ...['tg://user?id=1', 'ton://transfer/x', 'tonsite://x', 'ftp://x.yz', 'mailto:a@b.co'],
  ...['ann@example.com', '127.0.0.1', '8.8.8.8:443', '4111 1111 1111 1111', '+1 (212) 465-6741'],
  ...['<b>', '</b>', '<a href="https://evil.example">', '&lt;', '&#64;admin', '&amp;', '<tg-emoji'],
  ...['.', '@', '#', '/', ':', '//', '://', '$', '-', '_', ' ', '\n', '\u200d', '\u030a', '\u2060'],
  ...[
    'Cup',
    'Final',
    'é',
    'ß',
    '東京',
    'مباراة',
    '🎟️',
    '7',
    '12:30',
    '99.50',
    '№',
    '．',
    '＠',
    '＃',
  ],
];

const hostileName = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 6 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

describe('a name', () => {
  it('of 10,000 at random becomes no markup, mention, command, tag or link', () => {
    fc.assert(
      fc.property(hostileName, (name) => {
        expect(findTappable(untappable(name))).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });

  it('of 300 at random becomes nothing in a whole message', () => {
    fc.assert(
      fc.property(hostileName, fc.constantFrom(1, 3), (name, count) => {
        expect(foreignEntities(sent(outgoing(messageNaming(name, count))))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('would have become one without the care', () => {
    const found = findTappable(pieces.join(' ')).map(({ type }) => type);
    expect(new Set(found)).toEqual(
      new Set([
        ...['mention', 'bot_command', 'hashtag', 'cashtag', 'url', 'ip_address', 'tg_url'],
        ...['email', 'phone_number', 'bank_card'],
      ]),
    );
  });

  it('looks the same to a reader, and our prices stay as they are', () => {
    const invisible = /\u2060/g;
    fc.assert(
      fc.property(hostileName, (name) => {
        const without = name.replace(invisible, '');
        expect(untappable(without).replace(invisible, '')).toBe(without);
      }),
      { numRuns: 200 },
    );
    const own = '$1,234.50 ▼ 18.5% from $90 · Mar 1, 7:01 AM EST · sections 101-105';
    expect(untappable(own)).toBe(own);
  });
});

describe('the limits', () => {
  it('hold for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.nat(6),
        fc.constantFrom(1, 2, 40),
        (part, times, count) => {
          const { text } = sent(outgoing(messageNaming(part.repeat(2 ** times), count)));
          expect([...text].length).toBeLessThanOrEqual(3_900);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drop alerts from the bottom of a digest, say how many, and link to all', () => {
    const message = sent(outgoing(messageNaming('x'.repeat(200), 40)));
    expect(message.text).toMatch(/\nand \d+ more\n/);
    const buttons = message.keyboard.flat();
    expect(buttons.map(({ text }) => text)).toContain('See all alerts');
  });
});

describe('the message of an alert', () => {
  it('says the price first, in bold', () => {
    const message = sent(outgoing(alertMessage()));
    const [first = ''] = message.text.split('\n');
    expect(first).toBe('$74 ▼ 18%: Knicks at Heat, Lower Bowl');
    expect(message.entities[0]).toMatchObject({ type: 'bold', offset: 0, length: first.length });
  });

  it('shows its chart above the text, so that the message stays one that can be edited', () => {
    const message = alertMessage();
    const [only] = message.alerts;
    if (!only) throw new Error('no alert');
    const chart = { url: 'https://getin.example/c/x.png', darkUrl: '', alt: 'the price' };
    const shown = sent(outgoing({ ...message, alerts: [{ ...only, chart }] }));
    expect(shown.preview).toEqual({
      url: 'https://getin.example/c/x.png',
      prefer_large_media: true,
      show_above_text: true,
    });
    const none = sent(outgoing({ ...message, alerts: [{ ...only, chart: undefined }] }));
    expect(none.preview).toEqual({ is_disabled: true });
  });

  it('has buttons: tickets and the page open, acts that need nothing more are done in place', () => {
    const { keyboard } = sent(outgoing(alertMessage()));
    expect(keyboard.map((row) => row.map(({ text, url }) => [text, url !== undefined]))).toEqual([
      [
        ['See tickets', true],
        ['Open in Getin', true],
      ],
      [
        ['Bought it', true],
        ['Silent until a new low', false],
      ],
      [
        ['Level to $76', false],
        ['Snooze a day', false],
      ],
      [
        ['Stop this watch here', false],
        ['Stop or snooze', true],
      ],
    ]);
    const bought = keyboard[1]?.[0]?.url ?? '';
    expect(bought).toMatch(/^https:\/\/getin\.example\/l\/[\w-]+\?do=bought$/);
  });

  it('signs what its buttons say, for its channel alone', async () => {
    const { keyboard } = sent(outgoing(alertMessage()));
    const { callback_data: data = '' } = keyboard[2]?.[1] ?? {};
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    const pressed = readButtonData(data);
    expect(pressed).toMatchObject({
      on: 'alert',
      deliveryId,
      alertMark: alertMarkOf('alt_0190_1'),
    });
    if (!pressed) throw new Error('unreadable');
    expect(isSignedFor(pressed.signed, stopUrl)).toBe(true);
    const other = await signedLinks.manageUrl(`ch_${'2'.repeat(32)}`);
    expect(isSignedFor(pressed.signed, other)).toBe(false);
    const changed = readButtonData(
      `${data.slice(0, 5)}${data[5] === 'A' ? 'B' : 'A'}${data.slice(6)}`,
    );
    expect(changed && isSignedFor(changed.signed, stopUrl)).not.toBe(true);
  });

  it.each(['', 'x', 'A'.repeat(64), '🎟️'.repeat(8), 'ZA', '=&%'])(
    'knows that %j is of no button of ours',
    (data) => {
      const pressed = readButtonData(data);
      expect(pressed === undefined || !isSignedFor(pressed.signed, stopUrl)).toBe(true);
    },
  );

  it('makes no sound when it is the digest that its reader planned', () => {
    expect(sent(outgoing(messageNaming('Cup', 3), { heldFor: 'digest' })).isSilent).toBe(true);
    expect(sent(outgoing(messageNaming('Cup', 3), { heldFor: 'quiet_hours' })).isSilent).toBe(
      false,
    );
    expect(sent(outgoing(messageNaming('Cup', 1))).isSilent).toBe(false);
  });

  it('goes to the topic of a forum', () => {
    const chat = { id: -100_1, threadId: 7, title: 'Resale' };
    const { body } = telegramForm.request(outgoing(alertMessage()), { ...target, chat }, 0);
    expect(JSON.parse(body)).toMatchObject({ chat_id: -1_001, message_thread_id: 7 });
  });
});

const answered = (status: number, body: unknown, headers = {}) => ({
  ...{ status, headers },
  excerpt: typeof body === 'string' ? body : JSON.stringify(body),
});
const refusal = (status: number, description: string, parameters?: object) =>
  answered(status, { ok: false, error_code: status, description, parameters });

describe('an answer', () => {
  it.each([
    [answered(200, { ok: true, result: {} }), { kind: 'sent' }],
    [answered(200, '<html>'), { kind: 'unconfirmed' }],
    [answered(200, { ok: false }), { kind: 'unconfirmed' }],
    [refusal(403, 'Forbidden: bot was blocked by the user'), { kind: 'failed', channelIs: 'gone' }],
    [refusal(403, 'Forbidden: user is deactivated'), { kind: 'failed', channelIs: 'gone' }],
    [refusal(400, 'Bad Request: chat not found'), { kind: 'failed', channelIs: 'gone' }],
    [refusal(400, 'Bad Request: TOPIC_CLOSED'), { kind: 'failed', channelIs: 'gone' }],
    [
      refusal(400, 'Bad Request: not enough rights to send text messages to the chat'),
      { kind: 'failed', channelIs: 'gone' },
    ],
    [
      refusal(400, "Bad Request: can't parse entities: Unclosed start tag"),
      { kind: 'failed', isOurs: true, reason: 'refused_http_400' },
    ],
    [refusal(401, 'Unauthorized'), { kind: 'retry', isOurs: true }],
    [refusal(404, 'Not Found'), { kind: 'retry', isOurs: true }],
    [
      refusal(429, 'Too Many Requests: retry after 7', { retry_after: 7 }),
      { kind: 'throttled', afterMs: 7_000 },
    ],
    [answered(429, 'slow down', { 'retry-after': '9' }), { kind: 'throttled', afterMs: 9_000 }],
    [refusal(429, 'odd', { retry_after: 'soon' }), { kind: 'throttled', afterMs: undefined }],
    [refusal(500, 'Internal Server Error'), { kind: 'retry', reason: 'http_500' }],
    [answered(502, '<html>Bad Gateway'), { kind: 'retry', reason: 'http_502' }],
  ])('%j is judged', (answer, judgement) => {
    expect(telegramForm.judge(answer, 0)).toMatchObject(judgement);
  });

  it('that names another chat moves the channel there', () => {
    const moved = refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: -100_042,
    });
    const chat = { id: -42, title: 'Resale', threadId: 7 };
    expect(telegramForm.movedTo?.(moved, { ...target, chat })).toEqual({
      ...target,
      chat: { id: -100_042, title: 'Resale', threadId: 7 },
    });
    expect(telegramForm.movedTo?.(refusal(400, 'Bad Request'), target)).toBeUndefined();
  });

  it('is logged without who the reader is', () => {
    const { receiver } = receiverPlaces.telegram();
    const request = telegramForm.request(outgoing(alertMessage()), target, 0);
    const answer = receiver.answer(request, 1);
    expect(answer.excerpt).toContain('"username":"ann"');
    expect(telegramForm.shownOf?.(answer)).toBe('{"ok":true,"message_id":1}');
    expect(telegramForm.secretsOf(target)).toEqual([botUrl, botToken]);
  });
});

describe('an edit', () => {
  it('replaces the message in its place, without a sound', () => {
    const server = new EmulatedTelegram();
    server.addChat({ id: annsChat.id, type: 'private' });
    const first = server.answer(telegramForm.request(outgoing(alertMessage()), target, 0), 1);
    const receipt = telegramForm.edits?.receiptOf(first) ?? '';
    expect(receipt).toMatch(/^[0-9a-f]{32}\/1$/);
    const changed = outgoing(alertMessage({ base: 7_000, value: 7_000, withFee: 7_000 }));
    const request = telegramForm.edits?.request(changed, target, receipt, 0);
    if (!request) throw new Error('no edits');
    expect(telegramForm.edits?.judge(server.answer(request, 1), 0)).toEqual({ kind: 'edited' });
    expect(server.sent).toHaveLength(1);
    expect(server.sent[0]).toMatchObject({ edits: 1, text: expect.stringContaining('$70') });
    const again = server.answer(request, 2);
    expect(again.status).toBe(400);
    expect(telegramForm.edits?.judge(again, 0)).toEqual({ kind: 'edited' });
  });

  it('is not made in another chat, whose messages have other numbers', () => {
    const { edits } = telegramForm;
    const receipt = edits?.receiptOf(
      answered(200, '{"ok":true,"result":{"message_id":7,"chat":{"id":-42}}}'),
    );
    const inChat = (id: number) =>
      edits?.request(
        outgoing(alertMessage()),
        { ...target, chat: { id, title: '' } },
        receipt ?? '',
        0,
      );
    expect(JSON.parse(inChat(-42)?.body ?? '{}')).toMatchObject({ chat_id: -42, message_id: 7 });
    expect(inChat(-100_042)).toBeUndefined();
  });

  it.each(['', 'ok', '{}', '{"ok":true,"result":true}', '{"ok":true,"result":{"message_id":"1"}}'])(
    'is not made when the answer is %j, without a number',
    (excerpt) => {
      expect(telegramForm.edits?.receiptOf(answered(200, excerpt))).toBeUndefined();
    },
  );

  it.each([
    [refusal(400, 'Bad Request: message to edit not found'), { kind: 'gone' }],
    [refusal(400, "Bad Request: message can't be edited"), { kind: 'gone' }],
    [refusal(403, 'Forbidden: bot was kicked from the group chat'), { kind: 'gone' }],
    [refusal(400, "Bad Request: can't parse entities: x"), { kind: 'refused' }],
    [refusal(429, 'Too Many Requests', { retry_after: 3 }), { kind: 'throttled', afterMs: 3_000 }],
    [refusal(401, 'Unauthorized'), { kind: 'failed' }],
    [answered(502, ''), { kind: 'failed' }],
  ])('answered with %j is judged', (answer, judgement) => {
    expect(telegramForm.edits?.judge(answer, 0)).toMatchObject(judgement);
  });
});

it('has one pace for each chat, one for all, and for a group one a minute', () => {
  const named = (chat: typeof annsChat) =>
    telegram
      .sharedPacesOf({ kind: 'telegram', chat })
      .map(({ messages, perMs }) => [messages, perMs]);
  expect(named(annsChat)).toEqual([
    [1, 1_000],
    [25, 1_000],
  ]);
  expect(named({ id: -100_1, title: 'Resale' })).toEqual([
    [1, 1_000],
    [25, 1_000],
    [20, 60_000],
  ]);
});

it('renders every part of a message inside Telegram’s HTML', () => {
  const { text, parse_mode } = renderTelegram(outgoing(messageNaming('<b>&"', 2)));
  expect(parse_mode).toBe('HTML');
  expect(text).toContain('&lt;b&gt;&amp;&quot;');
});
