// A watch whose event is over: how it is shown, and what may still be done with it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, eventId, levelRule, startApi, startMs } from '#test/support/api.ts';

const dayMs = 86_400_000;
const laterEventId = eventId + 1;

describe('a watch of an event that is over', () => {
  let api: Api;
  let watch: { id: string };
  let later: { id: string };

  beforeAll(async () => {
    api = await startApi();
    const watching = async (event: number) => {
      const body = { event_id: event, rules: [levelRule(80)], channels: [api.ann.channelId] };
      return (await api.call('/v1/watches', { body })).body;
    };
    [watch, later] = [await watching(eventId), await watching(laterEventId)];
    const facts = { name: 'Knicks at Heat', updatedAt: startMs };
    await api.stores.eventFacts.keep({ ...facts, eventId, startsAt: startMs + dayMs });
    const afterwards = startMs + 30 * dayMs;
    await api.stores.eventFacts.keep({ ...facts, eventId: laterEventId, startsAt: afterwards });
    api.clock.now = startMs + 2 * dayMs;
  });
  afterAll(() => api.stop());

  it('is shown as ended, with a sentence that says why, and no other trouble', async () => {
    const { body } = await api.call(`/v1/watches/${watch.id}`);
    expect(body.status).toBe('ended');
    expect(body.trouble).toEqual([
      {
        code: 'event_over',
        severity: 'silent',
        expected: true,
        text: 'Knicks at Heat is over. The watch has ended with its event and costs nothing more.',
        ends: 'It continues by itself if the event gets a later date.',
      },
    ]);
  });

  it.each(['newest', 'closeness'])('is listed as ended, sorted by %s', async (sort) => {
    const { body } = await api.call(`/v1/watches?sort=${sort}`);
    const statuses = body.data.map(({ id, status }: { id: string; status: string }) => [
      id,
      status,
    ]);
    expect(new Map(statuses)).toEqual(
      new Map([
        [watch.id, 'ended'],
        [later.id, 'active'],
      ]),
    );
  });

  it.each([
    ['ended', 'newest', () => watch.id],
    ['active', 'newest', () => later.id],
    ['ended', 'closeness', () => watch.id],
    ['active', 'closeness', () => later.id],
  ])('is found by status %s, sorted by %s', async (status, sort, idOf) => {
    const { body } = await api.call(`/v1/watches?status=${status}&sort=${sort}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([idOf()]);
  });

  it.each(['pause', 'resume'])('refuses to %s: there is nothing to wait for', async (move) => {
    const answer = await api.call(`/v1/watches/${watch.id}/${move}`, { method: 'POST' });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toBe('Its event is over');
  });

  it('goes on when the event turns out to be put off', async () => {
    const startsAt = api.clock.now + dayMs;
    const facts = { eventId, name: 'Knicks at Heat', startsAt, updatedAt: api.clock.now };
    await api.stores.eventFacts.keep(facts);
    expect((await api.call(`/v1/watches/${watch.id}`)).body.status).toBe('active');
  });
});
