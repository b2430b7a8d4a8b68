/**
 * The two tables and their indexes. Stateful things stand alone here, so that they could
 * become a stack of their own.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

const pk = { name: 'pk', type: AttributeType.STRING };
const sk = { name: 'sk', type: AttributeType.STRING };

/** Index name → its partition and sort key; every index carries whole items. */
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
  /** Keep the tables when the stack goes, and refuse to delete them. */
  readonly keepData: boolean;
}

export class Tables extends Construct {
  readonly watchlist: Table;
  readonly snapshots: Table;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    this.watchlist = this.#table('Watchlist', props);
    this.snapshots = this.#table('Snapshots', props);
    for (const [indexName, [partitionKey, sortKey]] of Object.entries(watchlistIndexes)) {
      this.watchlist.addGlobalSecondaryIndex({
        indexName,
        partitionKey,
        sortKey,
        projectionType: ProjectionType.ALL,
      });
    }
  }

  #table(id: string, { keepData }: TablesProps): Table {
    return new Table(this, id, {
      partitionKey: pk,
      sortKey: sk,
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAtEpochSeconds',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
