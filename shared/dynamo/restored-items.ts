// The items of a restored Watchlist table that are brought up to date after the restore, by the table from before it: the
// witness. Every change is one conditional write of one item, so the whole can be repeated.
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PossibleRepeats } from '#shared/alerts/possible-repeat.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { perhapsSentReason } from '#shared/delivery/restored-delivery.ts';
import type { RawItem } from './attribute-readings.ts';
import type { CarryRule } from './carried-items.ts';
import { writeIf } from './conditional-write.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of a restored table, in the stored form of its items. */
export function createRestoredItems(table: WatchlistTable) {
  const client = table.getDocumentClient();
  const TableName = table.getName();
  const keyOf = ({ pk, sk }: RawItem) => ({ pk, sk });

  return {
    async find(raw: RawItem): Promise<RawItem | undefined> {
      const command = new GetCommand({ TableName, Key: keyOf(raw), ConsistentRead: true });
      return (await client.send(command)).Item;
    },

    /** Takes over an item of the witness. @returns false if the restored table has what the rule keeps */
    carry(item: RawItem, { condition, values = {}, names = {} }: CarryRule): Promise<boolean> {
      return writeIf(() =>
        client.send(
          new PutCommand({
            TableName,
            Item: item,
            ConditionExpression: condition,
            ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
            ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
          }),
        ),
      );
    },

    /** Sets attributes that the witness has, on an item that is there and does not have them yet. */
    tighten(item: RawItem, attribute: string): Promise<boolean> {
      return writeIf(() =>
        client.send(
          new UpdateCommand({
            TableName,
            Key: keyOf(item),
            UpdateExpression: 'SET #name = :value',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(#name) OR #name <> :value)',
            ExpressionAttributeNames: { '#name': attribute },
            ExpressionAttributeValues: { ':value': item[attribute] },
          }),
        ),
      );
    },

    /** Puts the witness's delivery in place of an unfinished one. @returns false if it has changed since it was read */
    adopt({ status, claims }: Delivery, witness: RawItem): Promise<boolean> {
      return writeIf(() =>
        client.send(
          new PutCommand({
            TableName,
            Item: witness,
            ConditionExpression: '#status = :status AND claims = :claims',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':status': status, ':claims': claims },
          }),
        ),
      );
    },

    /** Ends an unfinished delivery, which only a replay sends. @returns false if it has changed since it was read */
    markPerhapsSent({ deliveryId, status, claims }: Delivery): Promise<boolean> {
      return writeIf(() =>
        client.send(
          new UpdateCommand({
            TableName,
            Key: { pk: `DELIVERY#${deliveryId}`, sk: 'DELIVERY' },
            UpdateExpression:
              'SET #status = :ended, lastReason = :reason REMOVE nextAttemptAt, unfinishedShard',
            ConditionExpression: '#status = :status AND claims = :claims',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ...{ ':status': status, ':claims': claims },
              ...{
                ':ended': 'unconfirmed' satisfies Delivery['status'],
                ':reason': perhapsSentReason,
              },
            },
          }),
        ),
      );
    },

    /** Notes on an evaluation that its alerts may be repeats. @returns false if it says so already */
    noteRepeats(evaluation: RawItem, repeats: PossibleRepeats): Promise<boolean> {
      return writeIf(() =>
        client.send(
          new UpdateCommand({
            TableName,
            Key: keyOf(evaluation),
            UpdateExpression: 'SET repeats = :repeats',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(repeats) OR repeats.through < :through)',
            ExpressionAttributeValues: { ':repeats': repeats, ':through': repeats.through },
          }),
        ),
      );
    },
  };
}

export type RestoredItems = ReturnType<typeof createRestoredItems>;
