// Whether an alert that was held back is still wanted and still true when it is sent.
import { expect, it } from 'vitest';
import type { Alert } from '#shared/alerts/alert.ts';
import { createWhyNoNews } from '#shared/delivery/still-true.ts';
import type { MarketSnapshot } from '#shared/rules/snapshot.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';

const now = firedAt + 3_600_000;
const active: Watch = {
  ...{ watchId: 'wat_1', ownerId: 'own_1', eventId: 4711, rules: [], channelIds: [] },
  ...{ status: 'active', latencySeconds: 60, version: 1, createdAt: '', updatedAt: '' },
};
const { observedAt } = anAlert();
const snapshot = (dollars: number, at = observedAt + 1): MarketSnapshot => ({
  ...{ feedKind: 'stats', eventId: 4711, observedAt: at, zones: {} },
  metrics: {
    ...{ get_in: dollars * 100, get_in_qty2plus: null, avg_price: null, median_price: null },
    ...{ total_listings_active: 5, listing_fill_rate: null },
  },
});
const below80 = anAlert({ series: 'stats/get_in' });
const drop10 = anAlert({
  ...{ series: 'stats/get_in/drop_pct:previous', direction: 'up', value: 1_800, level: 1_000 },
  ...{ base: 7_400, baseline: 9_000 },
});

it.each<[string, Alert, Watch | undefined, MarketSnapshot | undefined, string | undefined]>([
  ['of a removed watch', below80, undefined, snapshot(70), 'superseded'],
  ['of a paused watch', below80, { ...active, status: 'paused' }, snapshot(70), 'superseded'],
  ['snoozed', below80, { ...active, snoozedUntil: now + 1 }, snapshot(70), 'snoozed'],
  ['whose snooze ends now', below80, { ...active, snoozedUntil: now }, snapshot(70), undefined],
  ['without a snapshot', below80, active, undefined, undefined],
  ['whose snapshot is the newest', below80, active, snapshot(90, observedAt), undefined],
  ['whose level is exactly reached', below80, active, snapshot(80), undefined],
  ['whose level is no longer reached', below80, active, snapshot(80.01), 'superseded'],
  ['whose change is still as large', drop10, active, snapshot(81), undefined],
  ['whose change has shrunk', drop10, active, snapshot(81.1), 'superseded'],
])('an alert %s', async (_what, alert, watch, newest, why) => {
  const whyNoNews = createWhyNoNews({
    findWatch: async () => watch,
    findNewest: async () => newest,
  });
  expect(await whyNoNews(alert, now)).toBe(why);
});
