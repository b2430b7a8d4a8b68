/** The table that the stack works with: its own, or one that a restore made, by a parameter with the name. */
import { CfnCondition, Fn } from 'aws-cdk-lib';
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { ownTable } from '../restored-names.ts';

/**
 * @param own the stack's own table, which stays
 * @param restored the name of a restored table, or `own`
 */
export function tableInUse(scope: Construct, id: string, own: Table, restored: string): ITable {
  const isOwn = new CfnCondition(scope, `${id}IsOwn`, {
    expression: Fn.conditionEquals(restored, ownTable),
  });
  const name = Fn.conditionIf(isOwn.logicalId, own.tableName, restored).toString();
  return Table.fromTableName(scope, `${id}InUse`, name);
}
