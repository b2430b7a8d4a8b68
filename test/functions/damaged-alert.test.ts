// A damaged alert: its watch is still shown, and the other alerts of its message are still told.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { below80, openExplained } from '#test/support/explained.ts';

const explained = openExplained();
const { opened } = explained;

async function damage(alertId: string | undefined): Promise<void> {
  await opened.api.client.send(
    new UpdateCommand({
      TableName: opened.api.names.WATCHLIST_TABLE,
      Key: { pk: `ALERT#${alertId}`, sk: 'ALERT' },
      UpdateExpression: 'SET #name = :value',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': 'value' },
      ExpressionAttributeValues: { ':value': 'odd' },
    }),
  );
}

it('is named as the last alert of its watch, alone and in the list', async () => {
  const { watchId } = await opened.pipeline.addWatch([below80]);
  await explained.see(100, 74);
  const [alert] = opened.pipeline.raised;
  await damage(alert?.alertId);
  const last = { id: alert?.alertId, sentence: 'Get-in at or below $80' };
  const one = await explained.call(`/v1/watches/${watchId}`);
  expect([one.status, one.body.last_alert]).toEqual([200, expect.objectContaining(last)]);
  const list = await explained.call('/v1/watches?include=standing');
  expect(list.body.data[0].standing.last_alert).toMatchObject(last);
});

it('is left out of a message whose other alerts are told', async () => {
  const rules = [below80, { ...below80, at_or_below: 79 }];
  await opened.pipeline.addWatch(rules);
  await explained.call('/v1/owner', {
    ...{ method: 'PATCH', headers: { 'if-match': '*' } },
    body: { quiet_hours: { from: '12:00', to: '12:30' } },
  });
  await explained.see(100, 74);
  const [first, second] = opened.pipeline.raised;
  await damage(first?.alertId);
  opened.pipeline.clock.now += 40 * 60_000;
  const { deliveries } = opened.api.stores;
  const { rows } = await deliveries.list(first?.ownerId ?? '', { limit: 10 });
  for (const { deliveryId } of rows) await opened.pipeline.attempt(deliveryId);
  expect(opened.pipeline.sent.map(({ alert }) => alert.alertId)).toEqual([second?.alertId]);
});
