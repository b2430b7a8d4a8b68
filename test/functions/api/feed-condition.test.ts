// The condition of a feed that a watch needs and that is not stored.
import { describe, expect, it } from 'vitest';
import { feedConditionOf } from '#functions/api/watches/feed-condition.ts';

const missing = { feed: undefined, evaluation: undefined, now: 0 };

describe('a feed that is not stored', () => {
  it('is not polled, as an active watch shows', () => {
    const watch = { status: 'active' } as const;
    expect(feedConditionOf('stats', { ...missing, watch })).toMatchObject({ state: 'idle' });
  });

  it('is not missed by a paused watch', () => {
    const watch = { status: 'paused' } as const;
    expect(feedConditionOf('stats', { ...missing, watch })).toBeUndefined();
  });

  it('is not missed while the watch’s change is carried through', () => {
    const watch = { status: 'active', unsettled: { feeds: [], triggerIds: [] } } as const;
    expect(feedConditionOf('stats', { ...missing, watch: watch as never })).toBeUndefined();
  });
});
