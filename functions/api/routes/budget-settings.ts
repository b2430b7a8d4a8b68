// The operator's settings of the pull budget: lower caps, and owners' shares. PATCH changes some, PUT
// replaces all.
import * as z from 'zod';
import type { BudgetSettings, KnownSettings } from '#shared/dynamo/budget-shares.ts';
import type { Caps } from '#shared/polling/budget.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import { idSchema } from '#shared/watchlist/id.ts';
import type { ApiDeps } from '../api-deps.ts';
import { budgetJson, budgetJsonSchema } from '../budget/budget-json.ts';
import type { ReadBudget } from '../budget/read-budget.ts';
import { requireMatch, staleVersion } from '../conventions/if-match.ts';
import { exampleIds } from '../document/example-ids.ts';
import { type Asked, defineOperation, type Operation } from '../operation.ts';
import { invalidFaults } from '../problem.ts';

/** Smaller shares could not be stored exactly. */
const leastShare = 0.0001;
const shareSchema = z
  .number()
  .min(0)
  .max(1)
  .refine((share) => share === 0 || share >= leastShare, {
    error: `must be 0, or at least ${leastShare}`,
  });

/** All shares are in one table item, and an item is limited to 400 KB. */
const mostShares = 1_000;
const tooManyShares = `must name at most ${groupThousands(mostShares)} owners`;
const sharesWords = `The fraction of the daily cap that an owner’s watches may spend, by owner id; at most ${groupThousands(mostShares)} owners`;

/** The text for a setting that is missing, where leaving it out could mean two things. */
type Params = { error?: (issue: { input?: unknown }) => string | undefined };

function missing(none: string): Params {
  const words = `is missing; PUT replaces all settings, so send ${none}, or change single settings with PATCH`;
  return { error: ({ input }) => (input === undefined ? words : undefined) };
}

/** A record of at most 1,000 owners. */
function byOwner<Share extends z.ZodType>(share: Share, description: string, params: Params = {}) {
  return z
    .record(idSchema('owner'), share, params)
    .refine((shares) => Object.keys(shares).length <= mostShares, { error: tooManyShares })
    .meta({ description, maxProperties: mostShares });
}

function cap(params: Params = {}) {
  return z
    .int(params)
    .min(0)
    .nullable()
    .meta({ description: 'null removes the cap, so that the deployment’s own cap applies' });
}

const changeSchema = z
  .strictObject({
    daily_cap: cap(),
    monthly_cap: cap(),
    owner_shares: byOwner(
      shareSchema.nullable(),
      `${sharesWords}. Owners that are absent keep their share; null removes a share`,
    ),
  })
  .partial()
  .meta({ id: 'BudgetSettingsChange', description: 'Fields that are absent keep their values' });

const settingsSchema = z
  .strictObject({
    daily_cap: cap(missing('null for no cap')),
    monthly_cap: cap(missing('null for no cap')),
    owner_shares: byOwner(shareSchema, sharesWords, missing('{} for no shares')),
  })
  .meta({ id: 'BudgetSettings', description: 'All settings; each is needed' });

type Change = z.infer<typeof changeSchema>;

/** change, replace. */
export function budgetSettingOperations(deps: ApiDeps, readBudget: ReadBudget): Operation[] {
  const write = createWriteSettings(deps, readBudget);
  return [changeOperation(write), replaceOperation(write)];
}

const answer = {
  status: 200,
  description: 'The budget',
  schema: budgetJsonSchema,
  hasVersion: true,
} as const;

function changeOperation(write: WriteSettings) {
  return defineOperation({
    method: 'patch',
    path: '/v1/budget',
    tag: 'Budget',
    summary: 'Change caps and owners’ shares',
    description:
      'Fields and owners that are absent keep their values. The deployment’s own caps stay the upper limit.',
    access: 'admin',
    body: changeSchema,
    bodyExamples: {
      cap: { summary: 'A lower daily cap', value: { daily_cap: 100 } },
      share: {
        summary: 'A tenth of the pulls for one owner',
        value: { owner_shares: { [exampleIds.owner]: 0.1 } },
      },
    },
    answer,
    handle: (asked) => write(asked, (before) => changed(before, asked.body)),
  });
}

function replaceOperation(write: WriteSettings) {
  return defineOperation({
    method: 'put',
    path: '/v1/budget',
    tag: 'Budget',
    summary: 'Replace all caps and owners’ shares',
    description:
      'Every setting must be in the body: a setting that is missing is refused, not removed. To change some of them use PATCH.',
    access: 'admin',
    body: settingsSchema,
    bodyExamples: {
      none: {
        summary: 'A lower daily cap and nothing else',
        value: { daily_cap: 100, monthly_cap: null, owner_shares: {} },
      },
    },
    answer,
    refusals: [412],
    handle: (asked) => write(asked, () => changed({ ownerShares: {} }, asked.body)),
  });
}

type WriteSettings = (
  asked: Pick<Asked<object, object, Change>, 'body' | 'ifMatch' | 'now'>,
  change: (before: KnownSettings) => BudgetSettings,
) => ReturnType<Parameters<typeof defineOperation>[0]['handle']>;

function createWriteSettings({ stores, pullCaps }: ApiDeps, readBudget: ReadBudget): WriteSettings {
  return async function writeSettings({ body, ifMatch, now }, change) {
    const faults = capFaults(body, pullCaps);
    if (faults.length > 0) throw invalidFaults(faults);
    const before = await stores.budget.settings();
    requireMatch(ifMatch, before.revision);
    const after = change(before);
    if (Object.keys(after.ownerShares).length > mostShares) {
      const detail = `${tooManyShares}, with the owners that have a share already`;
      throw invalidFaults([{ pointer: '#/owner_shares', detail }]);
    }
    if (!(await stores.budget.replaceSettings(before, after))) throw staleVersion();
    const report = await readBudget(now);
    return { body: budgetJson(report), version: report.settings.revision };
  };
}

function changed(
  before: BudgetSettings,
  { daily_cap: daily = before.daily, monthly_cap: monthly = before.monthly, owner_shares }: Change,
): BudgetSettings {
  const shares = Object.entries({ ...before.ownerShares, ...owner_shares });
  return {
    daily: daily ?? undefined,
    monthly: monthly ?? undefined,
    ownerShares: Object.fromEntries(
      shares.flatMap(([ownerId, share]) => (share === null ? [] : [[ownerId, share]])),
    ),
  };
}

/** A cap above the deployment's cap would have no effect, so it is refused. */
function capFaults(body: Change, caps: Caps) {
  const over = (name: 'daily_cap' | 'monthly_cap', cap: number) => {
    const detail = `must be no more than the deployment's ${cap}`;
    return (body[name] ?? 0) > cap ? [{ pointer: `#/${name}`, detail }] : [];
  };
  return [...over('daily_cap', caps.daily), ...over('monthly_cap', caps.monthly)];
}
