// Turns that the budget gave, as people see them: the watch and the explanation of a gap say why the feed waited.
import { expect, it } from 'vitest';
import { priorLearning } from '#shared/polling/value/fleet-learning.ts';
import { below80, openExplained } from '#test/support/explained.ts';

const explained = openExplained();
const { opened } = explained;

it('a turn that the price of a pull gave says why in words, while it is awaited and after', async () => {
  const { watchId } = await opened.pipeline.addWatch([below80]);
  await explained.see(100, 97, 99, 98);
  await opened.api.stores.budget.setPlan({ pullPrice: 60, learned: priorLearning });
  await explained.see(95);
  const { body: waiting } = await explained.call(`/v1/watches/${watchId}`);
  opened.pipeline.clock.now = Date.parse(waiting.next_poll_at);
  await explained.see(90);
  const { gaps } = await explained.explain(watchId);

  const why = 'about 35 % likely to reach $80 by 18:30 UTC; 1 watch';
  expect(waiting).toMatchObject({
    ...{ next_poll_reason: 'stretched_by_budget', next_poll_why: why },
  });
  const text = `The pull budget made the polls rarer, and the next was worth a pull then: ${why}.`;
  expect(gaps).toMatchObject([{ feed: 'stats', reason: 'budget_turn', text }]);
});
