/**
 * The access of each function: tables and their indexes, queues, secrets and environment variables.
 * One entry gives both the permission and the variable, so a function can't have only one of them.
 * A test compares the entries with the code.
 */
import type { WatchlistIndex } from './constructs/tables.ts';

export const functionNames = [
  'api',
  'chart',
  'console',
  'dispatch',
  'poll',
  'evaluate',
  'send-email',
  'send-webhook',
  'mail-feedback',
  'jobs',
  'reconcile',
] as const;
export type FunctionName = (typeof functionNames)[number];

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem';
export type QueueName = 'poll' | 'evaluate' | 'email' | 'webhook' | 'jobs';
export type SecretName =
  | 'marketplaceKey'
  | 'adminKey'
  | 'linkSecret'
  | 'operatorWebhook'
  | 'telegramBot';

/** Variables whose value names no resource, so they need no permission. */
export type Variable =
  | 'MARKETPLACE_URL'
  | 'EMAIL_SENDER'
  | 'CONFIGURATION_SET'
  | 'LOOPBACK_WEBHOOKS'
  | 'TELEGRAM_API_URL'
  | 'OPERATOR_EMAIL'
  | 'DAILY_PULL_CAP'
  | 'MONTHLY_PULL_CAP'
  | 'OWNER_WATCH_QUOTA'
  | 'ALERT_RETENTION_DAYS'
  | 'VERSION_RETENTION_DAYS'
  | 'FLAT_PLAN_CHARGES_FREE_POLLS'
  | 'DATED_STATS_WITHOUT_MATCH_CHARGED'
  | 'BUY_LINK_TEMPLATES'
  | 'SYNTHETIC_EVENT'
  | 'PUBLIC_URL';

/** The function that drains each queue. */
const drainedBy: Readonly<Record<QueueName, FunctionName>> = {
  ...{ poll: 'poll', evaluate: 'evaluate', jobs: 'jobs' },
  ...{ email: 'send-email', webhook: 'send-webhook' },
};

export interface FunctionAccess {
  /** @default - neither the table's name nor a permission */
  readonly watchlist?: readonly TableAction[];
  /** Indexes of the Watchlist table that the function queries. @default - none */
  readonly indexes?: readonly WatchlistIndex[];
  /** An empty list gives the table's name but no permission. @default - no name either */
  readonly snapshots?: readonly TableAction[];
  /** Queues that the function sends to. @default - none */
  readonly queues?: readonly QueueName[];
  /** Secrets that the function reads. @default - none */
  readonly secrets?: readonly SecretName[];
  /** @default - none */
  readonly variables?: readonly Variable[];
}

/** Of the functions that store alerts, their decisions or deliveries. */
const retention = ['ALERT_RETENTION_DAYS'] as const;
/** Of the functions that show links to tickets. */
const buyLinks = ['BUY_LINK_TEMPLATES'] as const;
/** Of the functions that change watches. */
const versions = ['VERSION_RETENTION_DAYS'] as const;
const pullCaps = ['DAILY_PULL_CAP', 'MONTHLY_PULL_CAP'] as const;
const billingAssumptions = [
  'FLAT_PLAN_CHARGES_FREE_POLLS',
  'DATED_STATS_WITHOUT_MATCH_CHARGED',
] as const;

export const functionAccess: Record<FunctionName, FunctionAccess> = {
  api: {
    watchlist: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['owner', 'due'],
    snapshots: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    queues: ['evaluate', 'email', 'webhook', 'jobs'],
    secrets: ['marketplaceKey', 'adminKey', 'linkSecret', 'telegramBot'],
    variables: [
      'MARKETPLACE_URL',
      'LOOPBACK_WEBHOOKS',
      'TELEGRAM_API_URL',
      'PUBLIC_URL',
      'OWNER_WATCH_QUOTA',
      ...retention,
      ...versions,
      ...buyLinks,
      ...pullCaps,
      ...billingAssumptions,
    ],
  },
  chart: {
    watchlist: ['GetItem'],
    secrets: ['linkSecret'],
  },
  // Files alone: what they show comes from the API.
  console: {},
  dispatch: {
    watchlist: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    indexes: ['due'],
    queues: ['poll'],
    variables: pullCaps,
  },
  poll: {
    watchlist: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['trigger'],
    snapshots: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
    queues: ['evaluate'],
    secrets: ['marketplaceKey'],
    variables: ['MARKETPLACE_URL', ...billingAssumptions],
  },
  evaluate: {
    watchlist: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['trigger'],
    snapshots: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    queues: ['evaluate', 'email', 'webhook'],
    variables: retention,
  },
  'send-email': {
    watchlist: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['owner'],
    snapshots: ['Query'],
    queues: ['email', 'webhook'],
    variables: ['EMAIL_SENDER', 'CONFIGURATION_SET', ...retention, ...buyLinks],
  },
  'send-webhook': {
    watchlist: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['owner'],
    snapshots: ['Query'],
    queues: ['email', 'webhook'],
    secrets: ['telegramBot'],
    variables: ['LOOPBACK_WEBHOOKS', 'TELEGRAM_API_URL', ...retention, ...buyLinks],
  },
  'mail-feedback': {
    watchlist: ['GetItem', 'PutItem', 'UpdateItem'],
    indexes: ['owner'],
    queues: ['email', 'webhook'],
    variables: retention,
  },
  jobs: {
    watchlist: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['owner'],
    snapshots: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    queues: ['evaluate', 'jobs'],
    secrets: ['marketplaceKey'],
    variables: [
      'MARKETPLACE_URL',
      'OWNER_WATCH_QUOTA',
      ...versions,
      ...pullCaps,
      ...billingAssumptions,
    ],
  },
  reconcile: {
    watchlist: ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['due', 'owner', 'trigger', 'unfinished'],
    queues: ['evaluate', 'email', 'webhook', 'jobs'],
    secrets: ['marketplaceKey', 'operatorWebhook'],
    variables: [
      'MARKETPLACE_URL',
      'OPERATOR_EMAIL',
      'SYNTHETIC_EVENT',
      ...retention,
      ...pullCaps,
      ...billingAssumptions,
    ],
  },
};

/**
 * Whether a function sends to the queue that it drains. Lambda stops such a chain after some 16 messages, unless it is
 * allowed. Each of them ends: evaluate at the newest snapshot, a delivery at its last try,
 * edits when each message is up to date or after a few tries, a job at its last row.
 */
export function sendsToItself(name: FunctionName): boolean {
  return (functionAccess[name].queues ?? []).some((queue) => drainedBy[queue] === name);
}
