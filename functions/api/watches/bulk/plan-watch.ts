// Plans a bulk change of one watch: what would change, or why nothing would. Reads what the checks need, writes nothing.
import type { Stores } from '#shared/dynamo/stores.ts';
import type { OwnerDefaults } from '#shared/watchlist/owner-defaults.ts';
import type { Watch } from '#shared/watchlist/watch.ts';
import type { PlannedChange } from '../change-watch.ts';
import { createReadEventNow } from '../current-status.ts';
import { faultsOfChange } from '../faults-of-change.ts';
import { once } from '../once.ts';
import {
  type Difference,
  differencesBetween,
  differenceWords,
  type TitleOf,
} from '../watch-differences.ts';
import type { BulkAction } from './bulk-actions.ts';
import { planAction } from './plan-action.ts';

/** What the change does to a watch. `detail` says it in words. */
export type WatchPlan =
  | {
      kind: 'change';
      plan: PlannedChange;
      after: Watch;
      differences: Difference[];
      detail: string;
    }
  | { kind: 'delete'; after: Watch; detail: string }
  | { kind: 'unchanged'; detail: string }
  | { kind: 'refused'; detail: string };

interface PlanWatchDeps {
  stores: Pick<Stores, 'channels' | 'eventFacts' | 'feeds'>;
  defaults: OwnerDefaults;
  titleOf: TitleOf;
}

export type PlanWatch = (watch: Watch, action: BulkAction, now: number) => Promise<WatchPlan>;

/** What several watches share is read once. */
export function createPlanWatch({ stores, defaults, titleOf }: PlanWatchDeps): PlanWatch {
  const channels = { find: once(stores.channels.find) };
  const readEventNow = once(createReadEventNow(stores));

  return async function planWatch(watch, action, now) {
    const planned = planAction(watch, action, defaults);
    if (planned.kind === 'refused') return planned;
    if (planned.kind === 'delete') {
      const removed = { status: 'ended', removedAt: new Date(now).toISOString() } as const;
      return { kind: 'delete', after: { ...watch, ...removed }, detail: 'deleted' };
    }
    const { plan, note } = planned;
    const after = { ...watch, ...plan.changes };
    const differences = differencesBetween(watch, after, titleOf);
    if (differences.length === 0) {
      return { kind: 'unchanged', detail: note ?? 'it is so already' };
    }
    const detail = await refusalOf(watch, plan, now);
    if (detail !== undefined) return { kind: 'refused', detail };
    const words = [differenceWords(differences), ...(note ? [note] : [])].join('; ');
    return { kind: 'change', plan, after, differences, detail: words };
  };

  async function refusalOf(watch: Watch, plan: PlannedChange, now: number) {
    const isSwitch = plan.changes.status !== undefined;
    if (isSwitch && (await readEventNow(watch.eventId, now)).isOver) return 'its event is over';
    const checked = { zones: undefined, ...plan };
    const [fault] = await faultsOfChange(channels, watch, checked, now);
    return fault && `${fault.pointer.slice(2)} ${fault.detail}`;
  }
}
