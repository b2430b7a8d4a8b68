// What each action of a bulk change does to one watch. Pure: it reads and writes nothing.
import type { WatchChanges } from '#shared/dynamo/watch-changes.ts';
import { channelsSchema, maxTagsPerWatch } from '#shared/watchlist/defaults-request.ts';
import { defaultsFor, type OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { WatchChange } from '#shared/watchlist/watch-request.ts';
import { type PlannedChange, planSnooze, planSwitch } from '../change-watch.ts';
import { inherit } from '../inherited-settings.ts';
import type { BulkAction } from './bulk-actions.ts';
import { changeLevels } from './level-change.ts';

/** What an action changes in a watch; or that it deletes the watch; or why it can't. */
export type ActionPlan =
  | { kind: 'change'; plan: PlannedChange; note?: string }
  | { kind: 'delete' }
  | { kind: 'refused'; detail: string };

type PlanOf<Action> = (watch: Watch, action: Action, defaults: OwnerDefaults) => ActionPlan;

/** Every action. */
const plans: { [Type in BulkAction['type']]: PlanOf<Extract<BulkAction, { type: Type }>> } = {
  pause: (watch) => switched(watch, 'paused'),
  resume: (watch) => switched(watch, 'active'),
  snooze: (_watch, { until = '' }) => changed(planSnooze(Date.parse(until))),
  end_snooze: () => changed(planSnooze(undefined)),
  add_tags: (watch, { tags }, defaults) => retag(watch, [...(watch.tags ?? []), ...tags], defaults),
  remove_tags: (watch, { tags }, defaults) => {
    const kept = (watch.tags ?? []).filter((tag) => !tags.includes(tag));
    return retag(watch, kept, defaults);
  },
  replace_tags: (watch, { tags }, defaults) => retag(watch, tags, defaults),
  add_channels: (watch, { channels }, defaults) =>
    reroute(watch, [...watch.channelIds, ...channels], defaults),
  remove_channels: (watch, { channels }, defaults) => {
    const kept = watch.channelIds.filter((id) => !channels.includes(id));
    const isSame = kept.length === watch.channelIds.length;
    return isSame ? changed({ changes: {}, isDeep: false }) : reroute(watch, kept, defaults);
  },
  replace_channels: (watch, { channels }, defaults) => reroute(watch, channels, defaults),
  set_latency: (watch, { latency_seconds }, defaults) =>
    changeSettings(watch, { latency_seconds }, defaults),
  change_level: (watch, action) => {
    const outcome = changeLevels(watch, action);
    if ('refused' in outcome) return { kind: 'refused', detail: outcome.refused };
    const { rules, unfit } = outcome;
    const plan = { changes: { rules }, isDeep: true };
    if (unfit.length === 0) return changed(plan);
    const note = `the change is not about ${unfit.map((sentence) => `rule “${sentence}”`).join(', ')}`;
    return { kind: 'change', plan, note };
  },
  delete: () => ({ kind: 'delete' }),
};

/** What an action changes in a watch. */
export function planAction(watch: Watch, action: BulkAction, defaults: OwnerDefaults): ActionPlan {
  const plan = plans[action.type] as PlanOf<BulkAction>;
  return plan(watch, action, defaults);
}

/** A purchase is undone by itself only, not with the pause of other watches. */
function switched({ bought }: Watch, status: 'active' | 'paused'): ActionPlan {
  if (bought === undefined) return changed(planSwitch(status));
  const detail = 'it has ended, because you bought a ticket; resume it by itself';
  return { kind: 'refused', detail };
}

function changed(plan: PlannedChange): ActionPlan {
  return { kind: 'change', plan };
}

/** Settings that may come from the defaults, which depend on the tags. */
function changeSettings(
  watch: Watch,
  change: Pick<WatchChange, 'channels' | 'latency_seconds' | 'tags'>,
  defaults: OwnerDefaults,
  also: WatchChanges = {},
): ActionPlan {
  const inherited = inherit(watch, change, (tags) => defaultsFor(defaults, tags));
  const isDeep = inherited.latencySeconds !== undefined;
  return changed({ changes: { ...inherited, ...also }, isDeep });
}

function retag(watch: Watch, given: readonly string[], defaults: OwnerDefaults): ActionPlan {
  const tags = [...new Set(given)];
  if (tags.length > maxTagsPerWatch) {
    const detail = `would have ${tags.length} tags; at most ${maxTagsPerWatch} are possible`;
    return { kind: 'refused', detail };
  }
  return changeSettings(watch, { tags }, defaults, { tags });
}

function reroute(watch: Watch, given: readonly string[], defaults: OwnerDefaults): ActionPlan {
  const channels = [...new Set(given)];
  if (channels.length === 0) {
    return { kind: 'refused', detail: 'would have no channel; pause or delete it instead' };
  }
  if (!channelsSchema.safeParse(channels).success) {
    const detail = `would have ${channels.length} channels; at most 10 are possible`;
    return { kind: 'refused', detail };
  }
  return changeSettings(watch, { channels }, defaults);
}
