// The pull budget: past cost of polling, forecast, and the operator's limits.
import type { ApiDeps } from '../api-deps.ts';
import { budgetJson, budgetJsonSchema } from '../budget/budget-json.ts';
import { createReadBudget, type ReadBudget } from '../budget/read-budget.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { budgetSettingOperations } from './budget-settings.ts';
import { usageOperation } from './usage.ts';

/** read, usage, change, replace. */
export function budgetOperations(deps: ApiDeps): Operation[] {
  const readBudget = createReadBudget(deps);
  return [
    readOperation(readBudget),
    usageOperation(deps),
    ...budgetSettingOperations(deps, readBudget),
  ];
}

function readOperation(readBudget: ReadBudget) {
  return defineOperation({
    method: 'get',
    path: '/v1/budget',
    tag: 'Budget',
    summary: 'The pull budget',
    description:
      'Pulls spent, left and forecast by day, billing period and event, the pulls that a longer latency would save, and the settings. The ETag is the version of the settings. In a deployment of more than 5,000 feeds, `forecast`, `demand` and `savings` are computed from a part of the feeds, and `events` lists those that have spent most in the period.',
    access: 'admin',
    answer: { status: 200, description: 'The budget', schema: budgetJsonSchema, hasVersion: true },
    handle: async ({ now }) => {
      const report = await readBudget(now);
      return { body: budgetJson(report), version: report.settings.revision };
    },
  });
}
