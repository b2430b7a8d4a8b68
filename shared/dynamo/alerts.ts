// Alerts in the Watchlist table.
import { Entity } from 'dynamodb-toolbox/entity';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { string } from 'dynamodb-toolbox/schema';
import type { Alert } from '#shared/alerts/alert.ts';
import { isChart } from '#shared/charts/chart.ts';
import { expiryAfter, type Retention } from '#shared/retention.ts';
import { absent, fromKey, orElse } from './attribute-readings.ts';
import { writeIf } from './conditional-write.ts';
import { ownerIndexPage, type PageRequest, wholeOwnerIndexPage } from './owner-index.ts';
import { type PartlyRead, readOneOrPart } from './partly-read.ts';
import { alertSchema } from './schemas/alert-schema.ts';
import { leniently, readOne } from './stored-items.ts';
import type { WatchlistTable } from './tables.ts';

/** Reads and writes of alerts; an alert never changes once written. */
export function createAlertStore(table: WatchlistTable, { alertDays }: Retention) {
  const alerts = new Entity({
    name: 'alert',
    table,
    timestamps: false,
    schema: alertSchema.and({ ownerKey: string(), ownerSort: string() }),
    computeKey: ({ alertId }) => ({ pk: `ALERT#${alertId}`, sk: 'ALERT' }),
  });

  const reading = leniently(alerts, {
    alertId: fromKey('ALERT#'),
    listings: orElse([], Array.isArray),
    chart: { ...absent, isReadable: isChart },
    sentence: orElse('a damaged rule'),
    askedLevel: orElse(null),
    baseline: orElse(null),
    previousBase: orElse(null),
    isFromNone: orElse(false),
    alreadyTrue: orElse(false),
    isUrgent: orElse(false),
    feeBps: orElse(0),
    channelIds: orElse([]),
    ownerKey: orElse(''),
    ownerSort: orElse(''),
  });

  return {
    async find(alertId: string): Promise<Alert | undefined> {
      const action = alerts.build(GetItemCommand).key({ alertId }).options({ consistent: true });
      return readOne(action, reading);
    },

    /** The same, with what is readable of a damaged one. For people only: a message needs the whole alert. */
    async findPartly(
      alertId: string,
    ): Promise<{ alert: Alert } | { unreadable: PartlyRead<Alert> } | undefined> {
      const action = alerts.build(GetItemCommand).key({ alertId }).options({ consistent: true });
      const found = await readOneOrPart(action, reading);
      return found && ('item' in found ? { alert: found.item } : found);
    },

    /** @returns false when this firing is stored already; the first numbers stay. */
    create(alert: Alert): Promise<boolean> {
      const ownerSort = `${new Date(alert.firedAt).toISOString()}#${alert.alertId}`;
      return writeIf(() =>
        alerts
          .build(PutItemCommand)
          .item({
            ...alert,
            ...{ ownerKey: `${alert.ownerId}#alert`, ownerSort },
            expiresAtEpochSeconds: expiryAfter(alert.firedAt, alertDays),
          })
          .options({ condition: { attr: 'alertId', exists: false } })
          .send(),
      );
    },

    list: (ownerId: string, page: PageRequest) =>
      ownerIndexPage(table, alerts, `${ownerId}#alert`, page, reading),

    /** The same list with damaged items in their places. */
    listWhole: (ownerId: string, page: PageRequest) =>
      wholeOwnerIndexPage(table, alerts, `${ownerId}#alert`, page, reading),
  };
}

export type AlertStore = ReturnType<typeof createAlertStore>;
