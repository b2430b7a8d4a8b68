/**
 * Calls the watchlist API through the TypeScript client that openapi-generator wrote from its document.
 * Usage: drive.mjs URL KEY, beside the compiled client in dist/.
 */
import {
  AlertsApi,
  APIKeysApi,
  BudgetApi,
  ChannelsApi,
  Configuration,
  DeliveriesApi,
  EventsApi,
  ProblemFromJSON,
  ResponseError,
  RulesApi,
  WatchesApi,
  WatchlistApi,
} from './dist/index.js';

const [, , basePath, accessToken] = process.argv;
const configuration = new Configuration({ basePath, accessToken });
const watches = new WatchesApi(configuration);
let passed = 0;
let failed = 0;

function check(what, got, want) {
  if (got === want) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`failed: generated typescript, ${what}: got ${got}, want ${want}`);
}

/** The problem that a call is refused with. */
async function problemOf(call) {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return ProblemFromJSON(await error.response.json());
  }
  throw new Error('the call was not refused');
}

const channel = await new ChannelsApi(configuration).createChannel({
  channelRequest: { kind: 'webhook', url: 'https://example.com/hook', name: 'client' },
});
check('channel host', channel.host, 'example.com');
check('channel secret', channel.secret.startsWith('whsec_'), true);
check('channel version', channel.payloadVersion, 2);

const level = { type: 'level', metric: 'get_in', atOrBelow: 79.55 };
const watch = await watches.createWatch({
  watchRequest: { eventId: 4711, rules: [level], channels: [channel.id], tags: ['knicks'] },
});
check('watch event', watch.eventId, 4711);
check('watch time is a date', watch.createdAt instanceof Date, true);
check('level', watch.rules[0].rule.atOrBelow, 79.55);
const drop = {
  ...{ type: 'change', metric: 'median_price', dropsBy: { percent: 20 } },
  from: { of: 'last_alert' },
  allOf: [{ type: 'supply', metric: 'total_listings_active', atOrBelow: 40 }],
};
const other = await watches.createWatch({
  watchRequest: {
    ...{ eventId: 4711, channels: [channel.id] },
    rules: [drop, { type: 'fill_rate', atOrBelow: 60 }, { type: 'any_change', metric: 'get_in' }],
  },
});
const [change, fill, any] = other.rules.map(({ rule }) => rule);
check(
  'change',
  `${change.type} ${change.dropsBy.percent} ${change.from.of}`,
  'change 20 last_alert',
);
check('condition', `${change.allOf[0].type} ${change.allOf[0].atOrBelow}`, 'supply 40');
check('fill rate', `${fill.type} ${fill.atOrBelow} ${any.type}`, 'fill_rate 60 any_change');

const listed = (await watches.listWatches({ include: 'standing', tag: 'knicks' })).data;
check('list', listed.map(({ id }) => id).join(), watch.id);
check('standing', listed[0].standing.getIn, 100.5);
check('standing distance', listed[0].standing.rules[0].distance, 20.95);
const read = await watches.getWatchRaw({ id: watch.id });
const ifMatch = read.raw.headers.get('etag');
check('etag', ifMatch.split('.')[0], '"1');
const unchanged = await watches
  .getWatchRaw({ id: watch.id, ifNoneMatch: ifMatch })
  .catch((error) => error);
check('unchanged', unchanged.response.status, 304);
const chart = await new EventsApi(configuration).getEventSeries({
  ...{
    eventId: 4711,
    metric: ['get_in', 'median_price'],
    zone: ['Lower Bowl', 'Nowhere'],
    span: '24h',
  },
});
check('chart', chart.series.map(({ values }) => values.join()).join(' '), '120  120 ');
check('chart times', chart.times.length, 1);
const rules = [{ id: watch.rules[0].id, rule: { ...level, atOrBelow: 75 } }, { rule: drop }];
const changed = await watches.changeWatch({
  ...{ id: watch.id, ifMatch, watchChange: { name: 'Finals', rules } },
});
check('changed', `${changed.name} ${changed.version} ${changed.rules.length}`, 'Finals 2 2');
check('changed rule', changed.rules[0].id, watch.rules[0].id);
const explained = await watches.explainWatch({ id: watch.id });
check('explained', explained.rules.length, 2);

const previewRequest = { eventId: 4711, rule: level };
const preview = await new RulesApi(configuration).previewRule({ previewRequest });
check(
  'preview',
  `${preview.count} ${preview.snapshots} ${preview.from instanceof Date}`,
  '0 1 true',
);
const list = new WatchlistApi(configuration);
const file = await list.exportWatchlist({ format: 'json' });
check('export', file.watches.find(({ id }) => id === watch.id).rules[0].atOrBelow, 75);
const same = await list.importWatchlist({ watchlistFile: file });
check('import', `${same.unchanged} ${same.created} ${same.refused}`, '2 0 0');

const alerts = new AlertsApi(configuration);
const [alert] = (await alerts.listAlerts({})).data;
check('alert', `${alert.now} ${alert.level} ${alert.unit}`, '74 80 dollars');
check('alert time is a date', alert.firedAt instanceof Date, true);
check('alert by id', (await alerts.getAlert({ id: alert.id })).sentence, alert.sentence);
const [delivery] = (await new DeliveriesApi(configuration).listDeliveries({})).data;
check('delivery', `${delivery.status} ${delivery.channelKind}`, 'failed email');
check('delivery of the alert', delivery.alertIds.join(), alert.id);
const budget = await new BudgetApi(configuration).getBudget();
check('budget', `${budget.pullsLeft} ${budget.settings.deployedDailyCap}`, '500 500');
const keys = new APIKeysApi(configuration);
const key = await keys.createKey({ keyRequest: { name: 'bot', scope: 'read' } });
check('key', key.key.startsWith('getin_'), true);
check('keys', (await keys.listKeys({})).data.find(({ id }) => id === key.id).scope, 'read');

const unknown = await problemOf(watches.getWatch({ id: `wat_${'0'.repeat(32)}` }));
check('unknown watch', `${unknown.status} ${unknown.type}`, '404 urn:getin:problem:not-found');
const request = { eventId: 4711, rules: [{ ...level, atOrBelow: -1 }] };
const refused = await problemOf(watches.createWatch({ watchRequest: request }));
check('bad price', `${refused.status} ${refused.errors[0].pointer}`, '400 #/rules/0/at_or_below');
const stale = await problemOf(
  watches.changeWatch({ id: watch.id, ifMatch: '"1"', watchChange: { name: 'Old' } }),
);
check('stale', `${stale.status} ${stale.type}`, '412 urn:getin:problem:stale-version');
console.log(`generated typescript of watchlist: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
