// What every screen shows of the whole: the pulls of today, how old the data is, the owner's clock. A handful of
// items, so that it can be asked every few seconds.
import * as z from 'zod';
import { needsTurning, newBudget, turnBudget } from '#shared/polling/budget.ts';
import { pauseReasons } from '#shared/polling/market-state.ts';
import { lowerCaps } from '#shared/polling/owner-share.ts';
import { ledgerDay } from '#shared/polling/pull.ts';
import { endOfDay } from '#shared/polling/spending.ts';
import { hearingTimesOf } from '#shared/watchlist/owner.ts';
import type { ApiDeps } from '../api-deps.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { notFound } from '../problem.ts';

const time = z.iso.datetime();

export const statusSchema = z
  .object({
    owner: z.object({ id: z.string(), name: z.string(), time_zone: z.string() }),
    pulls_today: z
      .object({
        limited_by: z.enum(['deployment', 'share']).meta({
          description:
            'share: your own part of the daily cap, if the operator has set one; deployment: the daily cap, which all owners use up together',
        }),
        spent: z.number(),
        cap: z.number(),
        left: z.number().meta({ description: 'Without those reserved for calls in progress' }),
        resets_at: time.meta({ description: 'The end of the UTC day' }),
      })
      .meta({ id: 'PullsToday' }),
    stretched: z
      .boolean()
      .meta({ description: 'Whether polls are spaced wider so that the caps last' }),
    paused_for: z
      .enum(pauseReasons)
      .nullable()
      .meta({ description: 'Why all polling is paused; null while it is not' }),
    answered_at: time.nullable().meta({
      description:
        'When we last asked the marketplace, about any event, and it answered; null before the first time. Each watch has its own `data_as_of`.',
    }),
  })
  .meta({ id: 'Status' });

/** `GET /v1/status`. */
export function statusOperation({ stores, pullCaps }: ApiDeps): Operation {
  const { access, budget, marketState } = stores;

  async function pullsToday(ownerId: string, now: number) {
    const [stored, settings] = await Promise.all([budget.read(), budget.settings()]);
    const known = stored ?? newBudget(now);
    const current = needsTurning(known, now) ? turnBudget(known, now) : known;
    const { daily } = lowerCaps(pullCaps, settings);
    const resets_at = new Date(endOfDay(current)).toISOString();
    const left = (cap: number, taken: number) => Math.max(0, Math.floor(cap - taken));
    const share = Object.hasOwn(settings.ownerShares, ownerId)
      ? settings.ownerShares[ownerId]
      : undefined;
    if (share === undefined) {
      const { daySpent: spent, dayCommitted } = current;
      const whole = { limited_by: 'deployment' as const, spent, cap: daily };
      return { budget: current, today: { ...whole, left: left(daily, dayCommitted), resets_at } };
    }
    const cap = share * daily;
    const spent = await budget.spentByOwner(ledgerDay(now), ownerId);
    const own = { limited_by: 'share' as const, spent, cap };
    return { budget: current, today: { ...own, left: left(cap, spent), resets_at } };
  }

  return defineOperation({
    method: 'get',
    path: '/v1/status',
    tag: 'Owner',
    summary: 'Pulls of today, age of the data, and your time zone',
    description:
      'What a board shows beside the watches. It reads six items and can be asked every few seconds. `GET /v1/budget` has the forecast and the costs by event.',
    access: 'read',
    answer: { status: 200, description: 'It', schema: statusSchema },
    handle: async ({ ownerId, now }) => {
      const [owner, state, { budget: current, today }] = await Promise.all([
        access.findOwner(ownerId),
        marketState.read(),
        pullsToday(ownerId, now),
      ]);
      if (!owner) throw notFound('owner');
      const { lastAnswerAt, pullPrice } = current;
      const body: z.infer<typeof statusSchema> = {
        owner: { id: ownerId, name: owner.name, time_zone: hearingTimesOf(owner).timeZone },
        pulls_today: today,
        stretched: pullPrice > 0,
        paused_for: state.pause?.reason ?? null,
        answered_at: lastAnswerAt === undefined ? null : new Date(lastAnswerAt).toISOString(),
      };
      return { body };
    },
  });
}
