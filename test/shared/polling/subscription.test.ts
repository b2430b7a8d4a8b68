// How the cost of a pull is shared.
import { expect, it } from 'vitest';
import { shareByOwner, sharePerSubscription } from '#shared/polling/subscription.ts';

it.each([
  [1, 1, 1_000_000],
  [1, 3, 333_333],
  [2, 3, 666_667],
  [1, 0, 1_000_000],
  [0, 1, 0],
])('%i pulls for %i subscriptions are %i millionths each', (pulls, subscriptions, share) => {
  expect(sharePerSubscription(pulls, subscriptions)).toBe(share);
});

it('shares a pull by the subscriptions of each owner', () => {
  const of = (ownerId: string) => ({ ownerId });
  expect(shareByOwner(1, [of('ann'), of('bob'), of('ann'), of('ann')])).toEqual([
    { ownerId: 'ann', micropulls: 750_000 },
    { ownerId: 'bob', micropulls: 250_000 },
  ]);
});
