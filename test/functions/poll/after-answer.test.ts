// Whether an answer nudges the evaluation.
import { expect, it } from 'vitest';
import { hasNews } from '#functions/poll/after-answer.ts';
import type { Fetched } from '#functions/poll/fetch.ts';
import type { Feed } from '#shared/polling/feed.ts';

const calm = { watchersChangedAt: 5, lastPolledAt: 5 };

it.each<[string, object, number, boolean]>([
  ['nothing new', calm, 0, false],
  ['a snapshot', calm, 1, true],
  ['a watch that was made after the last poll', { ...calm, watchersChangedAt: 6 }, 0, true],
  ['a watch before the first poll', { watchersChangedAt: 5 }, 0, true],
  ['a nudge that was not sent', { ...calm, owesNudge: true }, 0, true],
])('%s', (_what, feed, snapshots, isNews) => {
  const fetched = { snapshots: Array.from({ length: snapshots }) };
  expect(hasNews(feed as Feed, fetched as Fetched)).toBe(isNews);
});
