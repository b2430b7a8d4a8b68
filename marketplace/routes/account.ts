/** GET /v1/account and GET /v1/usage: the caller's account, its limits and its usage. */
import { type AccountJson, accountSchema, usageSchema } from '#shared/marketplace/contract.ts';
import { billingPeriodAt } from '../billing/period.ts';
import { countUsage } from '../billing/usage.ts';
import { toIso } from '../clock.ts';
import { answerJson, type Call, type Route } from '../http/operation.ts';

const planNames = { tiered: 'Tiered', flat: 'Flat rate' } as const;

function answerAccount(call: Call) {
  const { account, service } = call;
  const period = billingPeriodAt(account.periodAnchor, call.now);
  const body: AccountJson = {
    user_id: account.id,
    email: account.email,
    company: account.company,
    plans: [
      {
        id: account.plan,
        name: planNames[account.plan],
        status: account.planStatus,
        billing_period_start: toIso(period.start),
        billing_period_end: toIso(period.end),
        renews_at: toIso(period.end),
      },
    ],
    rate_limits: service.rateLimits,
  };
  return answerJson(body);
}

function answerUsage(call: Call) {
  call.service.requestLog.flush();
  return answerJson(countUsage(call.service.store, call.account, call.now));
}

export const accountRoutes: readonly Route[] = [
  {
    operation: {
      method: 'get',
      path: '/v1/account',
      summary: 'The account and its rate limits',
      bucket: 'account',
      errors: 'envelope',
      access: 'api',
      answer: { status: 200, schema: accountSchema, description: 'The account' },
      refusals: [],
    },
    handle: answerAccount,
  },
  {
    operation: {
      method: 'get',
      path: '/v1/usage',
      summary: 'Usage of the current billing cycle',
      bucket: 'usage',
      errors: 'envelope',
      access: 'api',
      answer: { status: 200, schema: usageSchema, description: 'The usage' },
      refusals: [],
    },
    handle: answerUsage,
  },
];
