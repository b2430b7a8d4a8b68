// What a watch would cost, told before it is made or changed: with all of its rules, and without what it costs now.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, eventId, levelRule, startApi, watchBody } from '#test/support/api.ts';

let api: Api;

beforeEach(async () => {
  api = await startApi();
  return () => api.stop();
});

const preview = (also: object, key = api.ann.key) =>
  api.call('/v1/rules/preview', {
    ...{ key, body: { event_id: eventId, rule: levelRule(80), latency_seconds: 3_600, ...also } },
  });

describe('the forecast of a preview', () => {
  it('counts the feeds of all rules of the watch, each once', async () => {
    const listing = { type: 'listing', sections: ['101'], at_or_below: 150 };
    const { body } = await preview({ other_rules: [levelRule(70), listing] });
    expect(body.forecast.pulls_per_day_added).toBe(48);
  });

  it('counts the polls of a stored watch as its own if it is named', async () => {
    const { body: watch } = await api.call('/v1/watches', {
      body: watchBody(api, { latency_seconds: 3_600 }),
    });
    const { body: named } = await preview({ watch_id: watch.id });
    const { body: further } = await preview({});
    expect(named.forecast.pulls_per_day_added).toBe(24);
    expect(further.forecast.pulls_per_day_added).toBe(0);
  });

  it('knows no watch of another owner', async () => {
    const { body: watch } = await api.call('/v1/watches', { body: watchBody(api) });
    expect((await preview({ watch_id: watch.id }, api.bob.key)).status).toBe(404);
  });
});
