// What every kind of channel has to have, walked over the list: nothing here names a kind.
import { beforeEach, describe, expect, it } from 'vitest';
import { functionAccess } from '#infra/access.ts';
import {
  channelKinds,
  channelRows,
  channelTargetSchema,
  httpFormOf,
  isHttpTarget,
  kindOf,
} from '#shared/delivery/channels/channels.ts';
import { renderEmailText } from '#shared/delivery/channels/email.ts';
import { renderEmailHtml } from '#shared/delivery/channels/email-html.ts';
import { operatorTarget } from '#shared/delivery/operator-webhook.ts';
import { sendersByKind } from '#shared/lambda/channel-senders.ts';
import { type Api, startApi } from '#test/support/api.ts';
import { goldenOutgoing } from '#test/support/golden-messages.ts';
import { sourcesUnder } from '#test/support/source-files.ts';
import { addressed, annsChat } from '#test/support/telegram.ts';

const samples = Object.entries(goldenOutgoing);
const secret = `whsec_${'A'.repeat(43)}=`;
const targetOf = (row: (typeof channelRows)[number]) => row.newTarget(row.example, () => secret);
const urlOf = (row: (typeof channelRows)[number]) =>
  'url' in row.example ? String(row.example.url) : '';
/** "user_key" is stored as "userKey". */
const storedName = (given: string) => given.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const chats = channelRows.filter(({ isOwnUrl }) => isOwnUrl);

/** What a kind makes of a message: the bytes that are sent, by the ending of their golden file. */
function formsOf(row: (typeof channelRows)[number], name: string): [string, string][] {
  const outgoing = goldenOutgoing[name];
  if (!outgoing) throw new Error(`no sample ${name}`);
  const target = targetOf(row);
  if (!isHttpTarget(target)) {
    const { message } = outgoing;
    return [
      ['txt', renderEmailText(message)],
      ['html', renderEmailHtml(message)],
    ];
  }
  const { body } = httpFormOf(target).request(outgoing, addressed(target), outgoing.dueAt);
  return [['json', `${JSON.stringify(JSON.parse(body), null, 2)}\n`]];
}

describe.each(channelRows.map((row) => [row.kind, row] as const))('%s', (kind, row) => {
  it.each(samples)('has a golden file of the message %s', async (name) => {
    for (const [ending, text] of formsOf(row, name)) {
      await expect(text).toMatchFileSnapshot(`golden/${kind}-${name}.${ending}`);
    }
  });

  it('stores a target that can be read back', () => {
    const target = targetOf(row);
    expect(target.kind).toBe(kind);
    expect(channelTargetSchema.parse(target)).toEqual(target);
    const inChat = row.needsConfirmation === 'chat' ? { chat: annsChat } : {};
    for (const name of Object.keys({ ...row.example, ...inChat }).map(storedName)) {
      expect({ ...target, ...inChat }).toHaveProperty(name);
      expect(channelTargetSchema.safeParse({ ...target, [name]: 1 }).success, name).toBe(false);
    }
  });

  it('has a queue, which every function that creates deliveries may send to', () => {
    const { sender } = kindOf({ kind });
    const senders = sendersByKind({ email: async () => {}, webhook: async () => {} });
    expect(senders[kind]).toBeTypeOf('function');
    for (const name of ['api', 'evaluate', 'reconcile', 'mail-feedback'] as const) {
      expect(functionAccess[name].queues).toContain(sender);
    }
    expect(functionAccess[`send-${sender}`].queues).toContain(sender);
  });
});

it.each(chats.map((row) => [row.kind, row] as const))(
  'the operator’s webhook at an address of %s becomes a channel of that kind',
  (_, row) => {
    expect(operatorTarget({ url: urlOf(row), secret })).toEqual({
      kind: row.kind,
      url: urlOf(row),
    });
  },
);

describe('the API', () => {
  let api: Api;
  beforeEach(async () => {
    api = await startApi();
    return () => api.stop();
  });
  const add = (body: object) => api.call('/v1/channels', { body });

  it.each(channelRows.map((row) => [row.kind, row] as const))(
    'adds a channel of the kind %s at its example',
    async (kind, row) => {
      const { status, body } = await add({ kind, ...row.example });
      expect([status, body.kind]).toEqual([201, kind]);
    },
  );

  it('refuses each chat the address of every other kind, naming the field', async () => {
    for (const { kind } of chats) {
      for (const other of channelRows.filter((row) => row.kind !== kind)) {
        const { status, body } = await add({ kind, url: urlOf(other) || 'ann@example.com' });
        expect([status, body.errors?.[0]?.pointer], `${kind} ${other.kind}`).toEqual([
          400,
          '#/url',
        ]);
      }
    }
  });

  it('refuses a webhook the address of a chat that accepts no generic webhooks, naming its kind', async () => {
    const refusing = chats.filter(({ acceptsOnlyItsForm }) => acceptsOnlyItsForm);
    expect(refusing.length).toBeGreaterThan(0);
    for (const row of refusing) {
      const { status, body } = await add({ kind: 'webhook', url: urlOf(row) });
      expect(status).toBe(400);
      expect(body.errors[0].detail).toContain(`use the kind ${row.kind}`);
    }
  });

  it('names every kind in its document', async () => {
    const { body } = await api.call('/openapi.json', { key: '' });
    const { schemas } = body.components;
    const { ChannelRequest, Channel } = schemas;
    const named = ChannelRequest.oneOf.flatMap(({ $ref }: { $ref: string }) => {
      const { kind } = schemas[$ref.split('/').at(-1) ?? ''].properties;
      const { enum: kinds } = kind.$ref ? schemas[kind.$ref.split('/').at(-1) ?? ''] : kind;
      return kinds;
    });
    expect(named).toEqual(channelKinds);
    expect(Channel.properties.kind.enum).toEqual(channelKinds);
    const { description } = body.paths['/v1/channels'].post;
    for (const { label } of chats) expect(description).toContain(label);
  });
});

/** Chats with a bot of ours have parts in other folders too. */
const withoutBot = channelRows.filter(
  (row) => row.sender === 'webhook' && row.readBy === 'people' && !row.needsConfirmation,
);

it.each(withoutBot.map(({ kind }) => kind))(
  '%s is named in its file and in the list alone, or in the file of a kind that builds on it',
  (kind) => {
    const file = kind.replaceAll('_', '-');
    const named = new RegExp(`['"\`]${kind}['"\`]|/${file}\\.ts'`);
    const naming = ['functions', 'infra', 'shared']
      .flatMap(sourcesUnder)
      .filter(({ text }) => named.test(text));
    const folder = 'shared/delivery/channels';
    const paths = naming.map(({ path }) => path);
    const others = withoutBot.map((row) => `${folder}/${row.kind.replaceAll('_', '-')}.ts`);
    expect(paths).toEqual(
      expect.arrayContaining([`${folder}/channels.ts`, `${folder}/${file}.ts`]),
    );
    expect(paths.filter((path) => ![`${folder}/channels.ts`, ...others].includes(path))).toEqual(
      [],
    );
  },
);
