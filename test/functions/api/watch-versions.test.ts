// The versions of a watch: who changed it, when, how, and back to an earlier one.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '#shared/dynamo/stores.ts';
import {
  type Api,
  aChannel,
  anyVersion,
  levelRule,
  signedLinks,
  startApi,
  watchBody,
} from '#test/support/api.ts';
import { roundsOf } from '#test/support/count-rounds.ts';

class Crash extends Error {}

let api: Api;
/** The store's method that dies after its next write. */
let dying: string | undefined;

const dyingAfter =
  <Asked extends unknown[], Answer>(name: string, write: (...asked: Asked) => Promise<Answer>) =>
  async (...asked: Asked) => {
    const answer = await write(...asked);
    if (dying === name) throw new Crash();
    return answer;
  };

const mortal = (stores: Stores): Stores => ({
  ...stores,
  watchVersions: {
    ...stores.watchVersions,
    keep: dyingAfter('keep', stores.watchVersions.keep),
  },
  watches: { ...stores.watches, change: dyingAfter('change', stores.watches.change) },
});

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } }, mortal);
});
afterAll(() => api.stop());

const hour = 3_600_000;
let made = 0;

async function create(wanted: Record<string, unknown> = {}) {
  made += 1;
  const body = watchBody(api, { event_id: 10_000 + made, ...wanted });
  const answer = await api.call('/v1/watches', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const patch = (id: string, body: unknown) =>
  api.call(`/v1/watches/${id}`, { method: 'PATCH', body, headers: anyVersion });
const versionsOf = async (id: string, query = '') =>
  (await api.call(`/v1/watches/${id}/versions${query}`)).body;
const restore = (id: string, version: number) =>
  api.call(`/v1/watches/${id}/versions/${version}/restore`, { method: 'POST' });

describe('GET /v1/watches/{id}/versions', () => {
  it('says of each version who made it, when, and what it changed', async () => {
    const { id, rules } = await create({ name: 'Final' });
    api.clock.now += hour;
    await patch(id, { name: 'Finals', rules: [{ id: rules[0].id, rule: levelRule(75) }] });
    await api.call(`/v1/watches/${id}/pause`, { method: 'POST' });
    const { data } = await versionsOf(id);

    expect(data.map((row: { version: number; words: string }) => [row.version, row.words])).toEqual(
      [
        [3, 'paused'],
        [
          2,
          'name “Finals” (was “Final”); rule “Get-in at or below $75” (was “Get-in at or below $80”)',
        ],
        [1, 'made'],
      ],
    );
    expect(data[1]).toMatchObject({
      is_current: false,
      changed_at: '2026-03-01T13:00:00.000Z',
      changed_by: { way: 'request', key: { name: 'test', hint: expect.stringMatching(/^getin_/) } },
      settings: { name: 'Finals', status: 'active' },
    });
    expect(data[1].changed_by.words).toMatch(/^by a request with the key “test” \(getin_.+…\)$/);
    expect(data[1].changes[1]).toMatchObject({
      field: 'rules',
      before: [{ id: rules[0].id, rule: { at_or_below: 80 } }],
      after: [{ id: rules[0].id, rule: { at_or_below: 75 } }],
    });
    expect(data[2].changes).toBeNull();
  });

  it('names channels, tags, snoozes and defaults', async () => {
    const second = 'ch_00000000000000000000000000000077';
    await api.stores.channels.create({ ...aChannel(second, api.ann.ownerId), name: 'Ops' });
    const { id } = await create({ latency_seconds: 600, tags: ['old'] });
    await patch(id, { channels: [second], tags: ['finals', 'vip'], fallback_channel: null });
    await patch(id, { latency_seconds: 60 });
    await api.call(`/v1/watches/${id}/snooze`, { body: { minutes: 60 } });
    const { data } = await versionsOf(id);
    expect(data.map(({ words }: { words: string }) => words)).toEqual([
      'snoozed until 2026-03-01T14:00:00.000Z',
      'latency 60 seconds (was 600 seconds)',
      'tags finals and vip added; tag old removed; channel email channel “Ops” (ann@example.com) added; channel email channel (ann@example.com) removed',
      'made',
    ]);
  });

  it('says that an import, the defaults or the end of a channel changed it', async () => {
    const only = 'ch_00000000000000000000000000000078';
    await api.stores.channels.create(aChannel(only, api.ann.ownerId));
    const { id } = await create({ channels: [only] });
    const file = { watches: [{ id, event_id: 10_000 + made, rules: [levelRule(70)] }] };
    await api.call('/v1/watchlist/import', { body: file });
    await patch(id, { name: 'Finals' });
    await api.call('/v1/defaults', {
      ...{ method: 'PATCH', body: { latency_seconds: 777 }, headers: anyVersion },
    });
    await api.call(`/v1/channels/${only}?force=true`, { method: 'DELETE', headers: anyVersion });
    const { data } = await versionsOf(id);
    expect(
      data.map((row: { changed_by: { way: string } }) => row.changed_by.way).slice(0, 5),
    ).toEqual(['channel_deletion', 'defaults', 'request', 'import', 'request']);
  });

  it('says that a reader stopped its alerts by a link, once for a link that is pressed twice', async () => {
    const { id } = await create();
    const stopUrl = new URL(await signedLinks.manageUrl(api.ann.channelId));
    const press = async (what: string) => {
      const body = new URLSearchParams({ do: what });
      const path = `${stopUrl.pathname}?w=${id}`;
      expect((await api.app.request(path, { method: 'POST', body })).status).toBe(200);
    };
    for (const what of ['stop_watch', 'stop_watch', 'resume_watch']) await press(what);
    const { data } = await versionsOf(id);
    expect(data.map(({ words }: { words: string }) => words)).toEqual([
      'alerts to the email channel (ann@example.com) on again',
      'alerts to the email channel (ann@example.com) stopped',
      'made',
    ]);
    expect(data[0].changed_by).toMatchObject({
      ...{ way: 'link', key: null, channel: api.ann.channelId },
      words: `by a link in a message to the channel ${api.ann.channelId}`,
    });
    expect((await restore(id, 1)).body.version).toBe(3);
  });

  it('has none for a change that changes nothing', async () => {
    const { id, rules, latency_seconds: latency } = await create({ name: 'Finals' });
    const same = [{ id: rules[0].id, rule: levelRule(80) }];
    for (const body of [
      {},
      { name: 'Finals' },
      { latency_seconds: latency, tags: [] },
      { rules: same },
    ]) {
      expect((await patch(id, body)).status).toBe(200);
    }
    const { data } = await versionsOf(id);
    const words = data.map((row: { words: string }) => row.words);
    expect(words.filter((each: string) => !/latency/.test(each))).toEqual(['made']);
  });

  it('has pages', async () => {
    const { id } = await create();
    for (const name of ['a', 'b', 'c']) await patch(id, { name });
    const first = await versionsOf(id, '?limit=3');
    const second = await versionsOf(id, `?limit=3&starting_after=${first.next_cursor}`);
    expect(first.data.map((row: { version: number }) => row.version)).toEqual([4, 3, 2]);
    expect(second).toMatchObject({ has_more: false, data: [{ version: 1, words: 'made' }] });
  });

  it('shows the newest 50 versions of the last 90 days', async () => {
    const { id } = await create();
    for (let turn = 0; turn < 55; turn += 1) await patch(id, { name: `name ${turn}` });
    const { data } = await versionsOf(id, '?limit=50');
    expect([data.length, data.at(-1).version, data.at(-1).changes]).toEqual([
      50,
      7,
      [expect.objectContaining({ after: 'name 5' })],
    ]);
    expect((await restore(id, 6)).status).toBe(404);
    api.clock.now += 91 * 24 * hour;
    expect((await versionsOf(id)).data).toHaveLength(1);
    expect((await restore(id, 50)).status).toBe(404);
    api.clock.now -= 91 * 24 * hour;
  });

  it('belongs to its owner', async () => {
    const { id } = await create();
    const path = `/v1/watches/${id}/versions`;
    expect((await api.call(path, { key: api.bob.key })).status).toBe(404);
    const asked = { method: 'POST', key: api.bob.key };
    expect((await api.call(`${path}/1/restore`, asked)).status).toBe(404);
  });
});

describe('a change', () => {
  it('writes twice: the version before it, then the watch', async () => {
    const { id } = await create();
    const rounds = await roundsOf(api.client, () => patch(id, { name: 'another' }));
    const writes = rounds.flat().filter((name) => /^(Put|Update|Delete)/.test(name));
    // The first one counts the request.
    expect(writes).toEqual(['UpdateItemCommand', 'PutItemCommand', 'UpdateItemCommand']);
  });

  it.each(['keep', 'change'])(
    'that dies after “%s” loses no version and doubles none',
    async (step) => {
      const { id } = await create({ name: 'before' });
      dying = step;
      await patch(id, { name: 'after' });
      dying = undefined;
      const { data: between } = await versionsOf(id);
      await patch(id, { name: 'after' });
      const { data } = await versionsOf(id);

      const names = (rows: { version: number; settings: { name: string } }[]) =>
        rows.map((row) => [row.version, row.settings.name]);
      if (step === 'keep') expect(names(between)).toEqual([[1, 'before']]);
      expect(names(data).slice(-2)).toEqual([
        [2, 'after'],
        [1, 'before'],
      ]);
      expect(new Set(data.map((row: { version: number }) => row.version)).size).toBe(data.length);
    },
  );
});

describe('POST /v1/watches/{id}/versions/{version}/restore', () => {
  it('keeps the history of a rule that the watch still has', async () => {
    const { id, rules } = await create();
    const [triggerId = ''] = (await api.stores.watches.find(id))?.rules[0]?.triggerIds ?? [];
    await patch(id, { rules: [{ id: rules[0].id, rule: levelRule(90) }] });
    await api.stores.triggers.edit(triggerId, (trigger) => ({ ...trigger, generation: 7 }));
    const { body } = await restore(id, 1);
    expect(body).toMatchObject({
      version: 3,
      rules: [{ id: rules[0].id, rule: { at_or_below: 80 } }],
    });
    const trigger = await api.stores.triggers.find(triggerId);
    expect(trigger).toMatchObject({ level: 8_000, generation: 8 });
  });

  it('starts a rule anew that the watch no longer has, with an alert id of its own', async () => {
    const { id, rules } = await create({ rules: [levelRule(80), levelRule(60)] });
    const before = (await api.stores.watches.find(id))?.rules[1]?.triggerIds[0] ?? '';
    await patch(id, { rules: [{ id: rules[0].id, rule: levelRule(80) }] });
    const { body } = await restore(id, 1);
    expect(body.rules.map((rule: { id: string }) => rule.id)).toEqual(
      rules.map((rule: { id: string }) => rule.id),
    );
    const now = (await api.stores.watches.find(id))?.rules[1]?.triggerIds[0] ?? '';
    expect(now).not.toBe(before);
    expect(await api.stores.triggers.find(before)).toBeUndefined();
    expect(await api.stores.triggers.find(now)).toMatchObject({ state: 'new', level: 6_000 });
  });

  it('leaves out channels that are gone, and says so', async () => {
    const gone = 'ch_00000000000000000000000000000079';
    await api.stores.channels.create({
      ...aChannel(gone, api.ann.ownerId),
      target: { kind: 'email', address: 'gone@example.com' },
    });
    const { id } = await create({ channels: [api.ann.channelId, gone] });
    await patch(id, { channels: [api.ann.channelId], name: 'x' });
    await api.stores.channels.remove(gone);
    const { body } = await restore(id, 1);
    expect(body).toMatchObject({
      ...{ version: 3, name: null },
      ...{ channels: [api.ann.channelId], channels_left_out: [gone] },
    });
  });

  it('may be repeated, and of the present version changes nothing', async () => {
    const { id } = await create({ name: 'a' });
    await patch(id, { name: 'b' });
    expect((await restore(id, 1)).body.version).toBe(3);
    expect((await restore(id, 1)).body.version).toBe(3);
    expect((await restore(id, 3)).body.version).toBe(3);
    const { data } = await versionsOf(id);
    expect(data[0].changed_by.words).toMatch(/^by restoring an earlier version with the key/);
  });

  it('obeys If-Match', async () => {
    const { id } = await create({ name: 'a' });
    await patch(id, { name: 'b' });
    const { status } = await api.call(`/v1/watches/${id}/versions/1/restore`, {
      ...{ method: 'POST', headers: { 'if-match': '"1"' } },
    });
    expect(status).toBe(412);
  });

  it('gives the rules, channels and settings of any version, whatever came between', async () => {
    const second = 'ch_00000000000000000000000000000080';
    await api.stores.channels.create({
      ...aChannel(second, api.ann.ownerId),
      target: { kind: 'email', address: 'second@example.com' },
    });
    const channels = [api.ann.channelId, second];
    const level = fc.integer({ min: 1, max: 500 }).map(levelRule);
    const change = fc.oneof(
      fc.record({ name: fc.constantFrom(null, 'a', 'b') }),
      fc.record({ tags: fc.subarray(['x', 'y', 'z']) }),
      fc.record({ rules: fc.array(level, { minLength: 1, maxLength: 3 }) }),
      fc.record({ channels: fc.subarray(channels, { minLength: 1 }) }),
      fc.record({ latency_seconds: fc.constantFrom(null, 60, 300, 900) }),
      fc.constantFrom('pause', 'resume', 'snooze'),
    );
    const changes = fc.array(change, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), async (all, pick) => {
        const { id } = await create();
        for (const each of all) {
          if (typeof each !== 'string') await patch(id, each);
          else {
            const body = each === 'snooze' ? { minutes: 5 } : undefined;
            await api.call(`/v1/watches/${id}/${each}`, { method: 'POST', body });
          }
        }
        const { data } = await versionsOf(id);
        const wanted = data[pick % data.length];
        expect((await restore(id, wanted.version)).status).toBe(200);
        const { data: after } = await versionsOf(id);
        expect(after[0].settings).toEqual(wanted.settings);
        const stored = await api.stores.watches.find(id);
        expect(stored).not.toHaveProperty('unsettled');
        for (const { triggerIds } of stored?.rules ?? []) {
          expect(await api.stores.triggers.find(triggerIds[0] ?? '')).toBeDefined();
        }
      }),
      { numRuns: 12 },
    );
  });
});
