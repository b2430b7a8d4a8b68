// Deletes a watch for good: its triggers, subscriptions and costs, then whatever is stored with it. It stays in its
// owner's list until the last write, so that a deletion that dies finds it again. Feeds that other watches need stay, at
// the latency that these need.
import type { RawItem } from '#shared/dynamo/attribute-readings.ts';
import { UnreadableItemError } from '#shared/dynamo/stored-items.ts';
import { furtherTriggerId } from '#shared/rules/further-trigger-id.ts';
import { createApplyWatchChange } from '#shared/watchlist/apply-watch-change.ts';
import { feedsWantedBy, type Unsettled, type Watch } from '#shared/watchlist/watch.ts';
import type { JobDeps } from '../job-kind.ts';

/** Tries against other writers of the watch; what is left is found in the second round of the deletion. */
const mostTries = 8;

export function createDeleteWatch({ stores }: Pick<JobDeps, 'stores'>) {
  const { watches, triggers, subscriptions, livingMessages, ownerItems } = stores;
  const applyWatchChange = createApplyWatchChange(stores);

  return async function deleteWatch(raw: RawItem, now: number): Promise<void> {
    const watchId = String(raw.pk).slice('WATCH#'.length);
    const watch = await end(watchId, now);
    if (watch) await applyWatchChange(watch, now);
    // Of a watch that can't be read, reconcile ends the subscriptions.
    for (const triggerId of watch ? [] : triggerIdsIn(raw)) {
      await triggers.remove(triggerId);
      await triggers.remove(furtherTriggerId(triggerId));
    }
    if (typeof raw.eventId === 'number') {
      await subscriptions.forgetSpent(raw.eventId, watchId);
      await livingMessages.removeOf(raw.eventId, watchId);
    }
    await ownerItems.remove(await ownerItems.keysIn(String(raw.pk)), raw);
  };

  /** Takes all rules from the watch, so that no change under way brings a trigger back. */
  async function end(watchId: string, now: number): Promise<Watch | undefined> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const watch = await findReadable(watchId);
      if (!watch) return undefined;
      const unsettled = everythingOf(watch);
      const ended = await watches.change(watch, { status: 'ended', rules: [], unsettled }, now);
      if (ended) return ended;
    }
    return undefined;
  }

  async function findReadable(watchId: string) {
    try {
      return await watches.find(watchId);
    } catch (error) {
      if (error instanceof UnreadableItemError) return undefined;
      throw error;
    }
  }
}

function everythingOf(watch: Watch): Unsettled {
  const { feeds = [], triggerIds = [] } = watch.unsettled ?? {};
  return {
    feeds: [...feedsWantedBy(watch), ...feeds],
    triggerIds: [...watch.rules.flatMap((rule) => rule.triggerIds), ...triggerIds],
  };
}

function triggerIdsIn({ rules }: RawItem): string[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    const ids: unknown = Object(rule) === rule ? Reflect.get(Object(rule), 'triggerIds') : [];
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  });
}
