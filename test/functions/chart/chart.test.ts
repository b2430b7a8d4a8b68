// The pictures behind the signed links of messages: who gets one, and how it is answered.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '#functions/chart/answer-request.ts';
import { loadRenderer } from '#functions/chart/render-png.ts';
import { createShowChart } from '#functions/chart/show-chart.ts';
import type { Alert } from '#shared/alerts/alert.ts';
import type { Chart } from '#shared/charts/chart.ts';
import { createAlertLinks } from '#shared/delivery/alert-links.ts';
import { createLinkReader, createLinks } from '#shared/delivery/links.ts';
import type { RouteReply } from '#shared/lambda/route-handler.ts';
import { anAlert, firedAt } from '#test/support/alerts.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const day = 86_400_000;
const channelId = `ch_${'1f'.repeat(16)}`;
const links = createLinks(async () => 'a secret', 'https://getin.example');
const chart: Chart = {
  points: [
    [firedAt - 7 * day, 16_400],
    [firedAt - 2 * day, 9_000],
    [firedAt, 7_400],
  ],
  utcOffsetMinutes: -300,
};

let tables: TestTables;
let renderPng: Awaited<ReturnType<typeof loadRenderer>>;
beforeAll(async () => {
  [tables, renderPng] = await Promise.all([startTestTables(), loadRenderer()]);
});
afterAll(() => tables.stop());

let alerts = 0;
async function storedAlert(changes: Partial<Alert> = { chart }): Promise<Alert> {
  alerts += 1;
  const alert = anAlert({ alertId: `alt_${alerts}_1`, ...changes });
  await tables.stores.alerts.create(alert);
  return alert;
}

async function fileOf({ alertId }: Pick<Alert, 'alertId'>): Promise<string> {
  const url = createAlertLinks(await links.manageUrl(channelId))?.chartUrl(alertId) ?? '';
  return url.replace('https://getin.example/c/', '');
}

function ask(token: string, query = {}, wantsBody = true, now = firedAt): Promise<RouteReply> {
  const showChart = createShowChart({
    readLink: createLinkReader(async () => 'a secret'),
    findAlert: tables.stores.alerts.find,
    findOwner: tables.stores.access.findOwner,
    renderPng,
  });
  return answerRequest({ path: { token }, query, wantsBody }, { showChart, now });
}

const missing = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'There is no such picture.\n',
};

/** Width and height, from the header of a PNG file. */
function sizeOf(png: RouteReply['body']): [width: number, height: number] {
  const bytes = Buffer.from(png ?? '');
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe('the link to an alert’s chart', () => {
  it('shows its picture, at two pixels for one of CSS, to be cached for good', async () => {
    const answer = await ask(await fileOf(await storedAlert()));
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect(sizeOf(answer.body)).toEqual([1_024, 300]);
  });

  it('shows the same bytes each time, and other ones for a dark page', async () => {
    const file = await fileOf(await storedAlert());
    const light = await ask(file);
    expect((await ask(file, { theme: 'light' })).body).toEqual(light.body);
    const dark = await ask(file, { theme: 'dark' });
    expect(sizeOf(dark.body)).toEqual([1_024, 300]);
    expect(dark.body).not.toEqual(light.body);
  });

  it('answers HEAD with the headers alone', async () => {
    const file = await fileOf(await storedAlert());
    const { status, headers } = await ask(file);
    expect(await ask(file, {}, false)).toEqual({ status, headers, body: undefined });
  });

  it.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    [
      'a token without the ending',
      async () => (await fileOf(await storedAlert())).replace('.png', ''),
    ],
    [
      'a changed token',
      async () => (await fileOf(await storedAlert())).replace(/.{4}\.png$/, 'AAAA.png'),
    ],
    [
      'the token of the alert’s page',
      async () => {
        const url = createAlertLinks(await links.manageUrl(channelId))?.pageUrl('alt_1_1') ?? '';
        return `${url.replace('https://getin.example/l/', '')}.png`;
      },
    ],
    [
      'the token of the channel’s page',
      async () => {
        return `${(await links.manageUrl(channelId)).replace('https://getin.example/l/', '')}.png`;
      },
    ],
    ['an alert that was never there', () => fileOf({ alertId: 'alt_none_1' })],
    ['an alert without a chart', async () => fileOf(await storedAlert({}))],
  ])('shows nothing for %s', async (_title, file) => {
    expect(await ask(await file())).toEqual(missing);
    expect((await ask(await file(), {}, false)).status).toBe(404);
  });

  it('shows nothing for an alert whose time in the store is over', async () => {
    const file = await fileOf(await storedAlert());
    expect((await ask(file, {}, true, firedAt + 399 * day)).status).toBe(200);
    expect(await ask(file, {}, true, firedAt + 401 * day)).toEqual(missing);
  });

  it('shows nothing of an owner whose data is being deleted', async () => {
    const file = await fileOf(await storedAlert({ chart, ownerId: 'own_leaving' }));
    const { access } = tables.stores;
    const createdAt = new Date(firedAt - day).toISOString();
    await access.createOwner({ ownerId: 'own_leaving', name: 'Ann', createdAt });
    expect((await ask(file)).status).toBe(200);
    await access.beginDeletion('own_leaving', { deletionId: 'del_1', since: firedAt });
    expect(await ask(file)).toEqual(missing);
  });

  it('shows nothing for a damaged chart', async () => {
    const alert = await storedAlert();
    await tables.client.send(
      new UpdateCommand({
        TableName: tables.names.WATCHLIST_TABLE,
        Key: { pk: `ALERT#${alert.alertId}`, sk: 'ALERT' },
        UpdateExpression: 'SET chart = :odd',
        ExpressionAttributeValues: { ':odd': { points: [[1, 'odd']], utcOffsetMinutes: 0 } },
      }),
    );
    expect(await ask(await fileOf(alert))).toEqual(missing);
    const { chart: _damaged, ...rest } = alert;
    expect(await tables.stores.alerts.find(alert.alertId)).toMatchObject(rest);
  });
});
