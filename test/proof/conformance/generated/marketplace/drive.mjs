/**
 * Calls the marketplace through the TypeScript client that openapi-generator wrote from its document.
 * Usage: drive.mjs URL KEY, beside the compiled client in dist/.
 */
import { Configuration, DataApi, ResponseError } from './dist/index.js';

const [, , basePath, key] = process.argv;
const headers = { Authorization: `Bearer ${key}` };
const api = new DataApi(new Configuration({ basePath, headers }));
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

check('account id', (await api.getV1Account()).userId, 1);
check('usage has calls', (await api.getV1Usage()).byEndpoint.length > 0, true);
check('search', (await api.getV1EventsSearch({ eventName: 'knicks' })).data[0].eventId, 1);
const stats = await api.getV1EventsEventIdStats({ eventId: 1 });
check('stats rows', stats.data.length, 25);
check('stats time is a date', stats.data[0].timestamp instanceof Date, true);
const listings = await api.getV1EventsEventIdListings({ eventId: 1 });
check('listings rows', listings.data.length, 13);
check('listing id', listings.data[0].listingId, 13_000_000_001);
const sales = await api.getV1EventsEventIdSales({ eventId: 1, source: 'all' });
check('sh sales', sales.data.filter(({ source }) => source === 'sh').length, 10);
const vs = sales.data.filter(({ source }) => source === 'vs');
check('vs sales', vs.length, 3);
check('vs section', vs[0].normSection, '101');
check('legacy rows', (await api.getV03SalesdataGet({ eventId: 1 })).length, 10);
try {
  await api.getV1EventsEventIdSales({ eventId: 999 });
  check('unknown event', 'an answer', 404);
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  check('unknown event', error.response.status, 404);
}
console.log(`generated typescript: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
