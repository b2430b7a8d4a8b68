// Presses on an alert's page that come too late, at the same time, or again.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  alertedWatch,
  formOf,
  openPage,
  postForm,
  storePrice,
  watchOf,
} from '#test/support/alert-pages.ts';
import { type Api, anyVersion, levelRule, startApi, startMs } from '#test/support/api.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi({ requestLimit: { requests: 1_000_000, windowSeconds: 60 } });
});
afterAll(() => api.stop());

const read = async (id: string) => (await api.call(`/v1/watches/${id}`)).body;
const rulesOf = async (id: string) =>
  (await read(id)).rules.map(({ rule }: { rule: object }) => rule);
const wordsOf = async (id: string) => {
  const { data } = (await api.call(`/v1/watches/${id}/versions`)).body;
  return data.map(({ words }: { words: string }) => words);
};
const channelNow = async () => {
  const channel = await api.stores.channels.find(api.ann.channelId);
  if (!channel) throw new Error('the channel is missing');
  return channel;
};
const silentUntil = async (watchId: string) =>
  (await channelNow()).watchesSilentUntil[watchId] ?? 0;

describe('a press that can’t be done any more', () => {
  it.each<[string, string, (watchId: string) => Promise<unknown>]>([
    [
      'whose watch was deleted',
      'The watch was deleted.',
      (id) => api.call(`/v1/watches/${id}`, { method: 'DELETE', headers: anyVersion }),
    ],
    [
      'whose rule was removed',
      'The rule was removed.',
      (id) =>
        api.call(`/v1/watches/${id}`, {
          ...{ method: 'PATCH', headers: anyVersion },
          body: { rules: [{ ...levelRule(9), metric: 'avg_price' }] },
        }),
    ],
    [
      'whose rule is about another number now',
      'The rule was changed since and is about another number now.',
      async (id) =>
        api.call(`/v1/watches/${id}`, {
          ...{ method: 'PATCH', headers: anyVersion },
          body: {
            rules: [
              { id: (await read(id)).rules[0].id, rule: { ...levelRule(9), metric: 'avg_price' } },
            ],
          },
        }),
    ],
    [
      'whose event is over',
      'The event is over, so the watch has ended.',
      async (id) => {
        const { eventId } = await watchOf(api, id);
        const facts = { eventId, name: 'Knicks', date: '2026-02-20', updatedAt: startMs };
        await api.stores.eventFacts.keep(facts);
      },
    ],
  ])('%s says so', async (_, why, happen) => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const { fields } = formOf(await openPage(api, page), 'level');
    await happen(watchId);
    const after = await watchOf(api, watchId);
    const late = await postForm(api, page, fields);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining(why)]);
    expect(await watchOf(api, watchId)).toEqual(after);
    const seen = await openPage(api, `${page}?do=level`);
    expect([seen.status, seen.text]).toEqual([
      200,
      expect.stringContaining(`This can’t be done now ${why}`),
    ]);
  });

  it('says that something was changed since the page was opened', async () => {
    const { page, watchId } = await alertedWatch(api);
    const { fields } = formOf(await openPage(api, page), 'bought');
    await api.call(`/v1/watches/${watchId}`, {
      ...{ method: 'PATCH', headers: anyVersion },
      body: { name: 'Finals' },
    });
    const late = await postForm(api, page, fields);
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('Something was changed since this page was opened'),
    ]);
    expect((await read(watchId)).status).toBe('active');
    expect((await postForm(api, page, formOf(late, 'bought').fields)).status).toBe(200);
    expect((await read(watchId)).status).toBe('ended');
  });

  it('acts on no other price than the page showed', async () => {
    const { page, eventId, watchId } = await alertedWatch(api);
    const { fields } = formOf(await openPage(api, page), 'new_low');
    await storePrice(api, eventId, 60, startMs + 1_000);
    expect((await postForm(api, page, fields)).status).toBe(409);
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 80 }]);
  });
});

describe('presses at the same time', () => {
  it('carry out one form once, and both readers see it done', async () => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const { fields } = formOf(await openPage(api, page), 'level');
    const both = await Promise.all([postForm(api, page, fields), postForm(api, page, fields)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rulesOf(watchId)).toMatchObject([{ at_or_below: 114 }]);
    expect((await wordsOf(watchId)).length).toBe(2);
  });

  it('of two buttons carry out one, and tell the other reader', async () => {
    const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
    const seen = await openPage(api, page);
    const both = await Promise.all(
      ['bought', 'level'].map((act) => postForm(api, page, formOf(seen, act).fields)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await wordsOf(watchId)).length).toBe(2);
  });
});

describe('a form that is sent again', () => {
  const acts = ['bought', 'new_low', 'level', 'snooze', 'stop_watch', 'stop_all'];
  const undos = ['undo_bought', 'undo_rule', 'resume_watch', 'resume_all'];

  const stateOf = async (watchId: string) => {
    const { rules, status, bought } = await watchOf(api, watchId);
    const channel = await channelNow();
    return { rules, status, bought, silent: await silentUntil(watchId), channel: channel.status };
  };

  it('minutes later makes a snooze no longer, and later does not begin it again', async () => {
    const { page, watchId } = await alertedWatch(api);
    const { fields } = formOf(await openPage(api, page), 'snooze');
    await postForm(api, page, fields);
    const until = await silentUntil(watchId);
    api.clock.now += 10 * 60_000;
    expect((await postForm(api, page, fields)).text).toContain('Done ');
    expect(await silentUntil(watchId)).toBe(until);
    await api.stores.channels.silenceWatch(api.ann.channelId, watchId, 0);
    api.clock.now += 10 * 60_000;
    expect((await postForm(api, page, fields)).text).toContain('This was done before');
    expect(await silentUntil(watchId)).toBe(0);
  });

  it('changes nothing, whatever was pressed before and after it, and in whatever order', async () => {
    const script = fc.array(
      fc.record({
        act: fc.constantFrom(...acts, ...undos),
        repeats: fc.array(fc.nat(), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const { page, watchId } = await alertedWatch(api, { rule: levelRule(120) });
        const sent: Record<string, string>[] = [];
        for (const { act, repeats } of steps) {
          const seen = await openPage(api, page);
          const form = seen.forms.find((each) => each.act === act);
          if (form) {
            sent.push(form.fields);
            expect((await postForm(api, page, form.fields)).status).toBe(200);
          }
          const before = await stateOf(watchId);
          for (const repeat of repeats) {
            const old = sent[repeat % Math.max(1, sent.length)];
            if (old) await postForm(api, page, old);
          }
          expect(await stateOf(watchId)).toEqual(before);
        }
        const channel = await channelNow();
        await api.stores.channels.changeStatus(channel.channelId, ['unsubscribed'], {
          status: 'active',
        });
      }),
      { numRuns: 8 },
    );
  });
});
