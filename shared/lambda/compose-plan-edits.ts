// Builds the function that enqueues runs of edits. Only kinds that are sent by HTTP can edit, so the runs go
// through their queue.
import { createPlanEdits, type PlanEdits } from '#shared/delivery/episodes/plan-edits.ts';
import type { Stores } from '#shared/dynamo/stores.ts';
import type { ChannelSenders } from './channel-senders.ts';

interface PlanEditsParts {
  stores: Pick<Stores, 'livingMessages'>;
  senders: ChannelSenders;
}

export function composePlanEdits({ stores, senders }: PlanEditsParts): PlanEdits {
  return createPlanEdits({
    sendEdits: senders.webhook,
    recordPlan: stores.livingMessages.recordPlan,
  });
}
