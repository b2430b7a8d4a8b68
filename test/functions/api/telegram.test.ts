// A Telegram channel through the API: its link, what people write to the bot, and the buttons that they press.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmationWait } from '#shared/delivery/decide-disposition.ts';
import { deliveryIdOf, newDelivery } from '#shared/delivery/delivery.ts';
import { alertButtonData } from '#shared/delivery/telegram/button-data.ts';
import { type FaultReport, listenForFaults } from '#shared/fault-report.ts';
import { alertedWatch, watchOf } from '#test/support/alert-pages.ts';
import { type Api, anyVersion, levelRule, startApi } from '#test/support/api.ts';
import { botToken } from '#test/support/receivers/telegram.ts';
import { peopleOf } from '#test/support/receivers/telegram-people.ts';
import { botSecret, webhookSecret } from '#test/support/telegram.ts';

let api: Api;
let people: ReturnType<typeof peopleOf>;

// One for all tests: each has chats and channels of its own.
beforeAll(async () => {
  api = await startApi();
  people = peopleOf(api.telegram);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.clock.now += 60_000;
});

const secretHeader = 'x-telegram-bot-api-secret-token';
let lastChat = 4_711;
const annsChat = () => {
  lastChat += 1;
  const ann = { first_name: 'Ann', username: 'ann' };
  return api.telegram.addChat({ id: lastChat, type: 'private', ...ann });
};
const group = () => {
  lastChat += 1;
  return api.telegram.addChat({ id: -lastChat, type: 'supergroup', title: 'Resale', topics: [7] });
};

/** Telegram posts an update, a second after the last one: a chat gets one message a second. */
const receive = async (update: unknown, secret = webhookSecret) => {
  api.clock.now += 1_000;
  return api.app.request('/telegram/updates', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [secretHeader]: secret },
    body: typeof update === 'string' ? update : JSON.stringify(update),
  });
};
const write = (chatId: number, text: string, threadId?: number) =>
  receive(people.write(chatId, text, threadId));
const said = () => api.telegram.sent.at(-1)?.text;
const add = async (also: object = {}) => {
  const { status, body } = await api.call('/v1/channels', { body: { kind: 'telegram', ...also } });
  expect(status).toBe(201);
  return body;
};
const tokenOf = (url: string) => new URL(url).searchParams.get('start') ?? '';
const channel = async (id: string) => (await api.call(`/v1/channels/${id}`)).body;

/** A channel that is linked to Ann's chat. */
async function linked(also: object = {}) {
  const body = await add(also);
  const chat = annsChat();
  await write(chat.id, `/start ${tokenOf(body.link_url)}`);
  return { id: body.id as string, chat, token: tokenOf(body.link_url) };
}

/** A delivery with the alerts that wait until a channel is linked. */
async function waitingDelivery(channelId: string): Promise<string> {
  const { now } = api.clock;
  const { dueAt, group: waiting } = confirmationWait(now);
  const deliveryId = deliveryIdOf(waiting, channelId);
  const { ownerId } = api.ann;
  await api.stores.deliveries.create(
    newDelivery(
      { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'telegram' },
      { now, dueAt },
    ),
  );
  return deliveryId;
}

describe('a new channel', () => {
  it('waits for its reader, and has a link for a chat and one for a group', async () => {
    const body = await add({ name: 'Phone' });
    expect(body).toMatchObject({
      ...{ kind: 'telegram', name: 'Phone', status: 'unverified' },
      ...{ host: 't.me', recipient: 'no chat yet' },
      link_expires_at: new Date(api.clock.now + 86_400_000).toISOString(),
    });
    const token = tokenOf(body.link_url);
    expect(token).toMatch(/^[\w-]{1,64}$/);
    expect(body.link_url).toBe(`https://t.me/getin_test_bot?start=${token}`);
    expect(body.group_link_url).toBe(`https://t.me/getin_test_bot?startgroup=${token}`);
  });

  it('shows its link once, and only its hash is stored', async () => {
    const { id, link_url } = await add();
    const { target } = (await api.stores.channels.find(id)) ?? {};
    expect(JSON.stringify(target)).not.toContain(tokenOf(link_url));
    for (const path of [`/v1/channels/${id}`, '/v1/channels', '/v1/owner/export']) {
      const { text } = await api.call(path);
      expect(text).not.toContain('t.me/getin');
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    }
  });

  it('is refused where the deployment has no bot, with what to do', async () => {
    const none = JSON.stringify({ token: '', username: '', webhookSecret });
    const without = await startApi({}, undefined, { botSecret: none });
    const { status, body } = await without.call('/v1/channels', { body: { kind: 'telegram' } });
    expect([status, body.type, body.detail]).toEqual([
      409,
      'urn:getin:problem:no-telegram-bot',
      'The operator has to make a bot and store its token: “Telegram” in infra/README.md says how',
    ]);
    const update = { method: 'POST', body: { update_id: 1 }, key: '' };
    expect((await without.call('/telegram/updates', update)).status).toBe(404);
    await without.stop();
  });
});

describe('an update', () => {
  it.each([
    ['with another secret', 'x'.repeat(64)],
    ['without one', ''],
    ['with the start of the secret', webhookSecret.slice(0, 32)],
  ])('%s is refused, and nothing is done', async (_, secret) => {
    const { id, link_url } = await add();
    const update = people.write(annsChat().id, `/start ${tokenOf(link_url)}`);
    const { status } = await receive(update, secret);
    expect(status).toBe(401);
    expect((await channel(id)).status).toBe('unverified');
    expect(api.telegram.sent.at(-1)?.chat_id).not.toBe(lastChat);
  });

  it.each([
    ['of a kind that we do not know', { update_id: 1, chat_join_request: { from: {} } }],
    ['with a message of another form', { update_id: 2, message: { chat: 'odd', text: 7 } }],
    ['with a press without a message', { update_id: 3, callback_query: { id: '1' } }],
    ['with an odd chat', { update_id: 4, my_chat_member: { chat: { id: 'x' } } }],
    ['of a sticker', { update_id: 5, message: { chat: { id: 1, type: 'group' }, sticker: {} } }],
  ])('%s changes nothing, and does not come again', async (_, update) => {
    expect((await receive(update)).status).toBe(204);
  });

  it('that is too large is refused', async () => {
    const { status } = await receive({ update_id: 1, text: 'x'.repeat(200_000) });
    expect(status).toBe(413);
  });

  it('is carried out once, however often it comes', async () => {
    const { chat } = await linked();
    const stop = people.write(chat.id, '/stop');
    await receive(stop);
    const { length } = api.telegram.sent;
    await receive(stop);
    expect(api.telegram.sent).toHaveLength(length);
  });

  it('whose answer Telegram refuses is carried out, and does not come again', async () => {
    const { id, chat } = await linked();
    api.telegram.failWith({ status: 502, body: {} });
    expect((await write(chat.id, '/stop')).status).toBe(204);
    expect((await channel(id)).status).toBe('unsubscribed');
    expect(api.logged).toContainEqual({
      message: 'telegram.answer_refused',
      fields: { method: 'sendMessage', status: 502, reason: '{}' },
    });
  });

  it('that fails for a moment comes again', async () => {
    const { id, link_url } = await add();
    const update = people.write(annsChat().id, `/start ${tokenOf(link_url)}`);
    const { isHandled } = api.stores.handledUpdates;
    api.stores.handledUpdates.isHandled = async () => {
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    };
    expect((await receive(update)).status).toBe(500);
    api.stores.handledUpdates.isHandled = isHandled;
    expect((await receive(update)).status).toBe(204);
    expect((await channel(id)).status).toBe('active');
  });

  it('that fails for good is reported, and does not come again', async () => {
    const { chat } = await linked();
    const { note } = api.stores.handledUpdates;
    api.stores.handledUpdates.note = async () => {
      throw new Error('odd');
    };
    const reports: FaultReport[] = [];
    const stop = listenForFaults((report) => reports.push(report));
    expect((await write(chat.id, '/start')).status).toBe(204);
    stop();
    api.stores.handledUpdates.note = note;
    expect(reports).toMatchObject([{ thing: 'telegram_update', reason: 'Error: odd' }]);
  });
});

describe('a link', () => {
  it('connects the chat that opens it, which is told what comes and how to stop it', async () => {
    const { id } = await linked();
    expect(await channel(id)).toMatchObject({ status: 'active', recipient: '@ann' });
    expect(said()).toBe(
      'Linked. Price alerts come to this chat from now on.\nEach message has buttons for its alert, which everybody in this chat can use. /stop ends all messages here.',
    );
    expect((await api.stores.channels.find(id))?.target).toEqual({
      kind: 'telegram',
      chat: { id: lastChat, title: '@ann' },
    });
  });

  it('works once: a second chat is told so', async () => {
    const { id, token } = await linked();
    const other = api.telegram.addChat({ id: 5, type: 'private', first_name: 'Eve' });
    await write(other.id, `/start ${token}`);
    expect(said()).toMatch(/was used before/);
    expect(await channel(id)).toMatchObject({ recipient: '@ann' });
  });

  it('opened again by the same chat says that it is linked', async () => {
    const { chat, token } = await linked();
    await write(chat.id, `/start ${token}`);
    expect(said()).toMatch(/^Linked\./);
  });

  it('expires after a day', async () => {
    const { id, link_url } = await add();
    api.clock.now += 86_400_000;
    await write(annsChat().id, `/start ${tokenOf(link_url)}`);
    expect(said()).toMatch(/has expired/);
    expect((await channel(id)).status).toBe('unverified');
  });

  it.each(['x', 'A'.repeat(43), `${'A'.repeat(42)}é`, "' OR 1=1", 'A'.repeat(4_000)])(
    'with the token %j of nobody says that it does not work',
    async (token) => {
      await write(annsChat().id, `/start ${token}`);
      expect(said()).toMatch(/does not work/);
    },
  );

  it('connects a group, which names the bot in the command', async () => {
    const { id, group_link_url } = await add();
    const token = new URL(group_link_url).searchParams.get('startgroup');
    const { id: groupId } = group();
    await write(groupId, `/start@some_other_bot ${token}`);
    expect((await channel(id)).status).toBe('unverified');
    await write(groupId, `/start@Getin_Test_Bot ${token}`);
    expect(await channel(id)).toMatchObject({ status: 'active', recipient: 'Resale' });
  });

  it('connects a topic of a forum, and answers there', async () => {
    const { id, link_url } = await add();
    await write(group().id, `/start ${tokenOf(link_url)}`, 7);
    expect((await api.stores.channels.find(id))?.target).toMatchObject({
      chat: { id: -lastChat, threadId: 7 },
    });
    expect(api.telegram.sent.at(-1)?.message_thread_id).toBe(7);
  });

  it('that was lost is replaced by a new one, and works no longer', async () => {
    const { id, link_url } = await add();
    const { status, body } = await api.call(`/v1/channels/${id}/link`, { method: 'POST' });
    expect(status).toBe(201);
    await write(annsChat().id, `/start ${tokenOf(link_url)}`);
    expect(said()).toMatch(/was used before/);
    await write(lastChat, `/start ${tokenOf(body.link_url)}`);
    expect((await channel(id)).status).toBe('active');
  });

  it('of a channel with a chat moves it to the chat that opens it', async () => {
    const { id, chat } = await linked();
    const { body } = await api.call(`/v1/channels/${id}/link`, { method: 'POST' });
    expect((await channel(id)).recipient).toBe('@ann');
    await write(group().id, `/start ${tokenOf(body.link_url)}`);
    expect((await channel(id)).recipient).toBe('Resale');
    await write(chat.id, '/stop');
    expect(said()).toBe('Nothing comes to this chat.');
    expect((await channel(id)).status).toBe('active');
  });

  it('switches on again a channel that was off because its chat was gone', async () => {
    const { id, chat } = await linked();
    const off = { status: 'disabled', disabledReason: 'http_403' } as const;
    await api.stores.channels.changeStatus(id, ['active'], off);
    const { body } = await api.call(`/v1/channels/${id}/link`, { method: 'POST' });
    await write(chat.id, `/start ${tokenOf(body.link_url)}`);
    expect(await channel(id)).toMatchObject({ status: 'active', disabled_reason: null });
  });

  it('is only for Telegram channels, and a confirmation mail for no Telegram channel', async () => {
    const link = await api.call(`/v1/channels/${api.ann.channelId}/link`, { method: 'POST' });
    expect([link.status, link.body.detail]).toEqual([409, 'Only a Telegram channel has a link']);
    const { id } = await add();
    const mail = await api.call(`/v1/channels/${id}/confirmation`, { method: 'POST' });
    expect([mail.status, mail.body.detail]).toEqual([
      409,
      'Nothing is mailed for this channel; make a new link with POST /v1/channels/{id}/link',
    ]);
  });

  it('is not made by another owner', async () => {
    const { id } = await add();
    const { status } = await api.call(`/v1/channels/${id}/link`, {
      method: 'POST',
      key: api.bob.key,
    });
    expect(status).toBe(404);
  });
});

describe('a command', () => {
  it('/stop ends everything in the chat, with a button that undoes it', async () => {
    const { id, chat } = await linked({ name: 'Phone' });
    await write(chat.id, '/stop');
    expect(said()).toBe('Stopped. Nothing more comes here.');
    expect((await channel(id)).status).toBe('unsubscribed');
    const message = api.telegram.sent.at(-1);
    if (!message) throw new Error('nothing was said');
    await receive(people.press(message, /^Send alerts here again: Phone$/));
    expect((await channel(id)).status).toBe('active');
    expect(api.telegram.answered.at(-1)).toBe('On again\nAlerts come here again.');
  });

  it('/stop in one topic of a forum leaves the others', async () => {
    const [first, second] = [await add(), await add()];
    await write(group().id, `/start ${tokenOf(first.link_url)}`);
    await write(-lastChat, `/start ${tokenOf(second.link_url)}`, 7);
    await write(-lastChat, '/stop', 7);
    expect((await channel(first.id)).status).toBe('active');
    expect((await channel(second.id)).status).toBe('unsubscribed');
  });

  it('/start without a token says what comes to the chat', async () => {
    await write(annsChat().id, '/start');
    expect(said()).toMatch(/^This bot sends ticket price alerts/);
    const { chat } = await linked();
    await write(chat.id, '/start');
    expect(said()).toBe('Price alerts come to this chat. /stop ends them.');
    await write(chat.id, '/stop');
    await write(chat.id, '/start');
    expect(said()).toBe('Price alerts to this chat are stopped.');
  });

  it('/help and any other text get help in a chat with one person, and nothing in a group', async () => {
    const { length } = api.telegram.sent;
    await write(annsChat().id, '/help');
    await write(lastChat, 'hello');
    const help = expect.stringMatching(/^This bot sends/);
    expect(api.telegram.sent.slice(length).map(({ text }) => text)).toEqual([help, help]);
    await write(group().id, 'hello');
    expect(api.telegram.sent).toHaveLength(length + 2);
  });
});

describe('a chat', () => {
  it.each(['blocked', 'left', 'kicked'] as const)(
    'that has %s the bot gets nothing more, and its owner sees that',
    async (state) => {
      const { id, chat } = await linked();
      await receive(people.setState(chat.id, state));
      expect((await channel(id)).status).toBe('unsubscribed');
    },
  );

  it('that lets the bot in again gets nothing until somebody asks for it', async () => {
    const { id, chat } = await linked();
    await receive(people.setState(chat.id, 'blocked'));
    await receive(people.setState(chat.id, 'open'));
    expect((await channel(id)).status).toBe('unsubscribed');
    await write(chat.id, '/start');
    const message = api.telegram.sent.at(-1);
    if (!message) throw new Error('nothing was said');
    await receive(people.press(message, /^Send alerts here again$/));
    expect((await channel(id)).status).toBe('active');
  });

  it('that became a supergroup keeps its channel under its new id', async () => {
    const old = api.telegram.addChat({ id: -42, type: 'group', title: 'Resale' });
    const { id, link_url } = await add();
    await write(old.id, `/start ${tokenOf(link_url)}`);
    await receive(people.upgrade(-42, -100_042));
    expect((await api.stores.channels.find(id))?.target).toMatchObject({ chat: { id: -100_042 } });
    await write(-100_042, '/stop');
    expect((await channel(id)).status).toBe('unsubscribed');
  });

  it('whose channel is deleted is forgotten', async () => {
    const { id, chat } = await linked();
    await api.call(`/v1/channels/${id}`, { method: 'DELETE', headers: anyVersion });
    expect(await api.stores.channelChats.channelsOf(chat.id)).toEqual([]);
    await write(chat.id, '/stop');
    expect(said()).toBe('Nothing comes to this chat.');
  });

  it('has its alerts that waited for the link sent at once', async () => {
    const { id, link_url } = await add();
    const waiting = await waitingDelivery(id);
    await write(annsChat().id, `/start ${tokenOf(link_url)}`);
    expect(api.deliveries).toContainEqual({ deliveryId: waiting });
  });
});

describe('a button of an alert', () => {
  /**
   * Presses act after act under one alert; the last message of the chat has the button of a labelled act.
   * @returns what each was answered with, and the rule after it.
   */
  async function pressInTurn(...acts: (string | { act: string; label: string })[]) {
    const { id: channelId, chat } = await linked();
    const { alert, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const { alertId, ownerId } = alert;
    const deliveryId = deliveryIdOf(alertId, channelId);
    await api.stores.deliveries.create({
      ...newDelivery(
        { deliveryId, purpose: 'alert', ownerId, channelId, channelKind: 'telegram' },
        api.clock,
      ),
      alertIds: new Set([alertId]),
    });
    const { stopUrl = '' } = (await api.stores.channels.find(channelId)) ?? {};
    const seen: unknown[] = [];
    for (const each of acts) {
      const { act, label } = typeof each === 'string' ? { act: each, label: undefined } : each;
      const id = `${channelId} ${seen.length}`;
      api.telegram.presses.add(id);
      const data = alertButtonData({ deliveryId, alertId, act }, stopUrl);
      const sent = api.telegram.sent.at(-1);
      const keyboard = [[{ text: label, callback_data: data }]];
      const shown = label && {
        message_id: sent?.message_id,
        reply_markup: { inline_keyboard: keyboard },
      };
      const message = { message_id: 1, chat: api.telegram.shownChat(chat.id), date: 1, ...shown };
      await receive(people.update({ callback_query: { id, data, message } }));
      const { rules } = await watchOf(api, watchId);
      seen.push([api.telegram.answered.at(-1)?.split('\n')[0], rules[0]?.rule]);
    }
    return seen;
  }
  const at = (level: number) => expect.objectContaining({ at_or_below: level });

  it('does what the page of the alert does, once, and its undo brings the rule back', async () => {
    expect(await pressInTurn('level', 'level', 'undo_rule', 'undo_rule')).toEqual([
      ['Done', at(114)],
      ['Done', at(114)],
      ['Done', at(120)],
      ['Done', at(120)],
    ]);
  });

  it('sets the level that it says, or says the level of now instead', async () => {
    const moved =
      'The rule was changed since, so nothing was done. The button has the next level now.';
    expect(await pressInTurn({ act: 'level', label: 'Level to $126' })).toEqual([[moved, at(120)]]);
    const [[{ text } = { text: '' }] = []] = api.telegram.sent.at(-1)?.keyboard ?? [];
    expect(text).toBe('Level to $114');
    expect(await pressInTurn({ act: 'level', label: text })).toEqual([['Done', at(114)]]);
  });
});

it('never shows the bot’s token', async () => {
  const { chat } = await linked();
  api.telegram.failWith({ status: 500, body: { description: `no /bot${botToken}/sendMessage` } });
  await write(chat.id, '/help');
  expect(JSON.stringify(api.logged)).not.toContain(botToken.split(':')[1]);
  expect(JSON.stringify(api.logged)).toContain('[hidden]');
  expect(botSecret).toContain(botToken);
});
