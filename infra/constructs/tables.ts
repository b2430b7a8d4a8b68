/**
 * The two tables and their indexes. Stateful resources are in this construct alone, so that they
 * can become a stack of their own. After a restore the stack keeps its own tables, and functions, grants, alarms and
 * outputs follow the restored ones by name (table-in-use.ts).
 */
import { CfnCondition, Fn } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  type CfnTable,
  type ITable,
  Operation,
  ProjectionType,
  Table,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { removalOf } from './removal.ts';
import { tableInUse } from './table-in-use.ts';

const pk = { name: 'pk', type: AttributeType.STRING };
const sk = { name: 'sk', type: AttributeType.STRING };

/** Index name → its partition and sort key; every index projects all attributes. */
export const watchlistIndexes = {
  owner: [
    { name: 'ownerKey', type: AttributeType.STRING },
    { name: 'ownerSort', type: AttributeType.STRING },
  ],
  due: [
    { name: 'dueShard', type: AttributeType.STRING },
    { name: 'nextPollAt', type: AttributeType.NUMBER },
  ],
  trigger: [
    { name: 'triggerPartition', type: AttributeType.STRING },
    { name: 'triggerLevel', type: AttributeType.NUMBER },
  ],
  unfinished: [
    { name: 'unfinishedShard', type: AttributeType.STRING },
    { name: 'nextAttemptAt', type: AttributeType.NUMBER },
  ],
} as const;

export type WatchlistIndex = keyof typeof watchlistIndexes;

export interface TablesProps {
  /** Keep the tables when the stack is deleted. */
  readonly keepData: boolean;
  /**
   * `on`: the tables are protected from deletion. Off while the stack is created, because a failed creation could
   * not delete its tables then.
   */
  readonly protection: string;
  /** The names of restored tables, or `own`. */
  readonly restored: Readonly<Record<'watchlist' | 'snapshots', string>>;
  readonly alarms: Alarms;
}

export class Tables extends Construct {
  /** What the functions use: the stack's own tables, or restored ones. */
  readonly watchlist: ITable;
  readonly snapshots: ITable;
  /** Throttled calls of each table. */
  readonly throttles: readonly IMetric[];
  readonly #isProtected: CfnCondition;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    this.#isProtected = new CfnCondition(this, 'IsProtected', {
      expression: Fn.conditionEquals(props.protection, 'on'),
    });
    const watchlist = this.#table('Watchlist', props);
    const snapshots = this.#table('Snapshots', props);
    for (const [indexName, [partitionKey, sortKey]] of Object.entries(watchlistIndexes)) {
      watchlist.addGlobalSecondaryIndex({
        indexName,
        partitionKey,
        sortKey,
        projectionType: ProjectionType.ALL,
      });
    }
    this.watchlist = tableInUse(this, 'Watchlist', watchlist, props.restored.watchlist);
    this.snapshots = tableInUse(this, 'Snapshots', snapshots, props.restored.snapshots);
    this.throttles = [
      this.#watch('Watchlist', this.watchlist, props),
      this.#watch('Snapshots', this.snapshots, props),
    ];
  }

  #watch(name: string, table: ITable, { alarms }: TablesProps): IMetric {
    const metric = throttledCalls(name, table);
    alarms.add(this, `${name}Throttled`, {
      kind: 'table-throttled',
      says: `Reads or writes of ${name} are refused`,
      metric,
      threshold: 0,
      periods: 3,
    });
    return metric;
  }

  #table(id: string, { keepData }: TablesProps): Table {
    const table = new Table(this, id, {
      partitionKey: pk,
      sortKey: sk,
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAtEpochSeconds',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: removalOf(keepData),
    });
    (table.node.defaultChild as CfnTable).deletionProtectionEnabled = Fn.conditionIf(
      this.#isProtected.logicalId,
      true,
      false,
    );
    return table;
  }
}

/**
 * The operations that alerts depend on. Reconcile's scan is excluded: it may be throttled and
 * continues later.
 */
const watchedOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
];

/** Sums the operations; ids include the table's name because both tables share a graph. */
function throttledCalls(name: string, table: ITable): IMetric {
  const usingMetrics = Object.fromEntries(
    watchedOperations.map((operation) => [
      `${name}${operation}`.toLowerCase(),
      table.metric('ThrottledRequests', {
        dimensionsMap: { TableName: table.tableName, Operation: operation },
        statistic: Stats.SUM,
      }),
    ]),
  );
  return new MathExpression({
    expression: Object.keys(usingMetrics).join(' + '),
    usingMetrics,
    label: name,
  });
}
