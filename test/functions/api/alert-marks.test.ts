// The marks of a chart: the owner's alerts on an event in a range. They cost as much as all of the owner's alerts since
// the beginning of the range, so a board asks for the range once and then for what is new.
import { expect, it } from 'vitest';
import { anAlert } from '#test/support/alerts.ts';
import { eventId, startMs } from '#test/support/api.ts';
import { startCountedApi } from '#test/support/counted-api.ts';

const hourMs = 3_600_000;

it('the alerts of an event since a time take one query for 250 alerts of the owner since then', async () => {
  const counted = await startCountedApi();
  const { stores, ann } = counted.tables;
  for (let n = 0; n < 300; n += 1) {
    const of = { alertId: `alt_${n}`, ownerId: ann.ownerId, eventId: n % 10 === 0 ? eventId : 9 };
    await stores.alerts.create(anAlert({ ...of, firedAt: startMs - n * hourMs }));
  }
  const marks = async (hours: number) => {
    const since = new Date(startMs - hours * hourMs).toISOString();
    const path = `/v1/alerts?event_id=${eventId}&since=${since}&limit=200`;
    const { body, requests } = await counted.requestsOf(path);
    return [body.data.length, requests.filter((name) => name === 'QueryCommand').length];
  };
  expect(await marks(24)).toEqual([3, 1]);
  expect(await marks(240)).toEqual([25, 1]);
  expect(await marks(299)).toEqual([30, 2]);
  await counted.stop();
});
