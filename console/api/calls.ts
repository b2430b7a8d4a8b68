// Every call of the desk. A test holds each against the API's document: its path, its method, its parameters.
import type * as z from 'zod';
import type { budgetJsonSchema } from '#functions/api/budget/budget-json.ts';
import type { usageRowSchema, usageSumSchema } from '#functions/api/budget/usage-json.ts';
import type {
  channelJsonSchema,
  chatLinkSchema,
  newChannelJsonSchema,
} from '#functions/api/channels/channel-json.ts';
import type { deliveryJsonSchema } from '#functions/api/deliveries/delivery-json.ts';
import type { explainedRuleSchema, lookJsonSchema } from '#functions/api/explain/explain-json.ts';
import type { jobJsonSchema } from '#functions/api/jobs/job-json.ts';
import type { createdKeyJsonSchema, keyJsonSchema } from '#functions/api/keys/key-json.ts';
import type { alertJsonSchema, alertWithDecisionsSchema } from '#functions/api/routes/alerts.ts';
import type { testJsonSchema } from '#functions/api/routes/channel-actions.ts';
import type { channelKindSchema } from '#functions/api/routes/channel-kinds.ts';
import type { defaultsJsonSchema } from '#functions/api/routes/defaults.ts';
import type { eventSchema } from '#functions/api/routes/event-detail.ts';
import type { eventSeriesSchema } from '#functions/api/routes/event-series.ts';
import type { eventZonesSchema } from '#functions/api/routes/event-zones.ts';
import type { foundEventSchema } from '#functions/api/routes/events.ts';
import type { createdWatchJsonSchema } from '#functions/api/routes/open-watch.ts';
import type { ownerJsonSchema } from '#functions/api/routes/owner.ts';
import type { deletionSchema } from '#functions/api/routes/owner-deletion.ts';
import type { ownerRecordSchema } from '#functions/api/routes/owners.ts';
import type { webhookPreviewSchema } from '#functions/api/routes/preview-webhook.ts';
import type { linksSchema } from '#functions/api/routes/published.ts';
import type { statusSchema } from '#functions/api/routes/status.ts';
import type { sessionJsonSchema, signInLinkSchema } from '#functions/api/sessions/session-json.ts';
import type { bulkReportSchema } from '#functions/api/watches/bulk/bulk-json.ts';
import type { importReportSchema } from '#functions/api/watches/import-report.ts';
import type {
  listedWatchJsonSchema,
  stateCountsSchema,
} from '#functions/api/watches/listed-watch-json.ts';
import type { previewJsonSchema } from '#functions/api/watches/preview-schema.ts';
import type { watchVersionJsonSchema } from '#functions/api/watches/version-json.ts';
import type {
  restoredJsonSchema,
  watchStatusJsonSchema,
} from '#functions/api/watches/watch-json.ts';
import { call } from './call.ts';

/** A page of a list. */
export interface ListPage<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor: string | null;
}

export type SessionAnswer = z.infer<typeof sessionJsonSchema>;
export const beginSession = call<SessionAnswer>('POST', '/v1/sessions');
export const currentSession = call<SessionAnswer>('GET', '/v1/sessions/current');
export const endSession = call<undefined>('DELETE', '/v1/sessions/current');
export const makeSignInLink = call<z.infer<typeof signInLinkSchema>>('POST', '/v1/sign-in-links');

export type Status = z.infer<typeof statusSchema>;
export const readStatus = call<Status>('GET', '/v1/status');

export type ListedWatch = z.infer<typeof listedWatchJsonSchema>;
export type WatchCounts = z.infer<typeof stateCountsSchema>;
export const listWatches = call<ListPage<ListedWatch> & { counts?: WatchCounts }>(
  'GET',
  '/v1/watches',
  ['deleted', 'event_id', 'include', 'limit', 'sort', 'starting_after'],
);

/** The report of a change of many watches; a job, without results, when there are more than 200. */
export type BulkRun = Partial<z.infer<typeof bulkReportSchema>>;
export const changeWatches = call<BulkRun | JobJson>('POST', '/v1/watches/bulk');
export const undoChange = call<BulkRun | JobJson>('POST', '/v1/watches/bulk/{id}/undo');

export type WatchDetail = z.infer<typeof watchStatusJsonSchema>;
export const readWatch = call<WatchDetail>('GET', '/v1/watches/{id}');

export type ListedChannel = z.infer<typeof channelJsonSchema>;
export const listChannels = call<ListPage<ListedChannel>>('GET', '/v1/channels', [
  ...['limit', 'starting_after'],
]);
export const addChannel = call<z.infer<typeof newChannelJsonSchema>>('POST', '/v1/channels');
export type KindOfChannel = z.infer<typeof channelKindSchema>;
export const listChannelKinds = call<{ data: KindOfChannel[] }>('GET', '/v1/channel-kinds');
export type WebhookPreview = z.infer<typeof webhookPreviewSchema>;
export const previewWebhook = call<WebhookPreview>('POST', '/v1/channels/preview');
export const changeChannel = call<ListedChannel>('PATCH', '/v1/channels/{id}');
export const deleteChannel = call<undefined>('DELETE', '/v1/channels/{id}', ['force', 'dry_run']);
export const testChannel = call<z.infer<typeof testJsonSchema>>('POST', '/v1/channels/{id}/test');
export const confirmChannel = call<unknown>('POST', '/v1/channels/{id}/confirmation');
export type ChatLink = z.infer<typeof chatLinkSchema>;
export const linkChannel = call<ChatLink>('POST', '/v1/channels/{id}/link');
export const rotateSecret = call<{ secret: string }>('POST', '/v1/channels/{id}/secret');
export const unmuteChannel = call<ListedChannel>('POST', '/v1/channels/{id}/unmute');
export const unblockChannel = call<ListedChannel>('POST', '/v1/channels/{id}/unblock');
export const replayChannel = call<{ replayed: number; next: string | null }>(
  'POST',
  '/v1/channels/{id}/replay',
);

export type ListedDelivery = z.infer<typeof deliveryJsonSchema>;
export const listDeliveries = call<ListPage<ListedDelivery>>('GET', '/v1/deliveries', [
  ...['alert_id', 'channel_id', 'limit', 'starting_after', 'status'],
]);
export const readDelivery = call<ListedDelivery>('GET', '/v1/deliveries/{id}');

export type OwnerJson = z.infer<typeof ownerJsonSchema>;
export const readOwner = call<OwnerJson>('GET', '/v1/owner');
export const changeOwner = call<OwnerJson>('PATCH', '/v1/owner');

export type ListedAlert = z.infer<typeof alertJsonSchema>;
export const listAlerts = call<ListPage<ListedAlert> & { damaged: { id: string }[] }>(
  'GET',
  '/v1/alerts',
  ['event_id', 'include', 'limit', 'starting_after', 'state', 'tag', 'watch_id'],
);
export type AlertWithDecisions = z.infer<typeof alertWithDecisionsSchema>;
export const readAlert = call<AlertWithDecisions>('GET', '/v1/alerts/{id}');
export const replayDelivery = call<ListedDelivery>('POST', '/v1/deliveries/{id}/replay');

export type LookJson = z.infer<typeof lookJsonSchema>;
export type ExplainedRuleJson = z.infer<typeof explainedRuleSchema>;
export const explainWatch = call<ListPage<LookJson> & { rules: ExplainedRuleJson[] }>(
  'GET',
  '/v1/watches/{id}/explain',
  ['at', 'from', 'to', 'limit', 'starting_after', 'rule_id'],
);

export type UsageRowJson = z.infer<typeof usageRowSchema>;
export type UsageAnswer = ListPage<UsageRowJson> & {
  from: string;
  to: string;
  total: z.infer<typeof usageSumSchema>;
  not_attributed: z.infer<typeof usageSumSchema>;
};
export const readUsage = call<UsageAnswer>('GET', '/v1/budget/usage', [
  ...['by', 'from', 'limit', 'starting_after'],
]);
export type BudgetJson = z.infer<typeof budgetJsonSchema>;
export const readBudget = call<BudgetJson>('GET', '/v1/budget');
export const changeBudget = call<BudgetJson>('PATCH', '/v1/budget');
export const listOwners = call<ListPage<z.infer<typeof ownerRecordSchema>>>('GET', '/v1/owners', [
  ...['limit', 'starting_after'],
]);

export type Defaults = z.infer<typeof defaultsJsonSchema>;
export const readDefaults = call<Defaults>('GET', '/v1/defaults');
export const changeDefaults = call<Defaults>('PATCH', '/v1/defaults');

export type KeyJson = z.infer<typeof keyJsonSchema>;
type MadeKey = z.infer<typeof createdKeyJsonSchema>;
export const listKeys = call<ListPage<KeyJson>>('GET', '/v1/keys', ['limit', 'starting_after']);
export const makeKey = call<MadeKey>('POST', '/v1/keys');
export const changeKey = call<KeyJson>('PATCH', '/v1/keys/{id}');
export const rotateKey = call<MadeKey>('POST', '/v1/keys/{id}/rotation');
export const endKey = call<undefined>('DELETE', '/v1/keys/{id}');
export const addOwner = call<z.infer<typeof ownerRecordSchema>>('POST', '/v1/owners');

export type ImportReport = z.infer<typeof importReportSchema>;
export type JobJson = z.infer<typeof jobJsonSchema>;
/** A large file is answered with a job. */
export const importWatchlist = call<ImportReport | JobJson>('POST', '/v1/watchlist/import', [
  ...['dry_run'],
]);
export const listJobs = call<ListPage<JobJson>>('GET', '/v1/jobs', ['limit', 'starting_after']);
export const readJob = call<JobJson>('GET', '/v1/jobs/{id}');
export const cancelJob = call<JobJson>('POST', '/v1/jobs/{id}/cancel');

export type PublishedLinksJson = z.infer<typeof linksSchema>;
export const listPublishedLinks = call<PublishedLinksJson>('GET', '/v1/published-links');

export const restoreWatch = call<z.infer<typeof restoredJsonSchema>>(
  'POST',
  '/v1/watches/{id}/restore',
);
export const deleteWatch = call<undefined>('DELETE', '/v1/watches/{id}');

export const readOwnerExport = call<ListPage<unknown>>('GET', '/v1/owner/export', [
  ...['limit', 'starting_after'],
]);
export type DeletionJson = z.infer<typeof deletionSchema>;
export const deleteOwner = call<DeletionJson>('DELETE', '/v1/owner');
export const readDeletion = call<DeletionJson>('GET', '/v1/deletions/{id}');

export type FoundEventJson = z.infer<typeof foundEventSchema>;
export const searchEvents = call<ListPage<FoundEventJson>>('GET', '/v1/events', [
  ...['query', 'from', 'to', 'limit', 'starting_after'],
]);
export type EventDetail = z.infer<typeof eventSchema>;
export const readEvent = call<EventDetail>('GET', '/v1/events/{event_id}');

export type EventSeries = z.infer<typeof eventSeriesSchema>;
export const readSeries = call<EventSeries>('GET', '/v1/events/{event_id}/series', [
  ...['metric', 'zone', 'span', 'include'],
]);

export type EventZones = z.infer<typeof eventZonesSchema>;
export type ZonePosition = EventZones['zones'][number];
export const readZones = call<EventZones>('GET', '/v1/events/{event_id}/zones');

export type CreatedWatch = z.infer<typeof createdWatchJsonSchema>;
export const createWatch = call<CreatedWatch>('POST', '/v1/watches');
export const changeWatch = call<CreatedWatch>('PATCH', '/v1/watches/{id}');
export const pauseWatch = call<unknown>('POST', '/v1/watches/{id}/pause');
export const resumeWatch = call<unknown>('POST', '/v1/watches/{id}/resume');
export const snoozeWatch = call<unknown>('POST', '/v1/watches/{id}/snooze');

export type VersionJson = z.infer<typeof watchVersionJsonSchema>;
export const listVersions = call<ListPage<VersionJson>>('GET', '/v1/watches/{id}/versions', [
  ...['limit', 'starting_after'],
]);
export const restoreVersion = call<unknown>('POST', '/v1/watches/{id}/versions/{version}/restore');

export type RulePreview = z.infer<typeof previewJsonSchema>;
export const previewRule = {
  ...call<RulePreview>('POST', '/v1/rules/preview'),
  isRead: true,
};
