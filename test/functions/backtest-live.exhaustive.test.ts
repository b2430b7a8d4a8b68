// Recorded prices evaluated live, day by day through DynamoDB, raise the alerts that their preview shows.
// The recording is beside the checkout: ../shared/data.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPreviewRule } from '#functions/api/watches/preview-rule.ts';
import { type RecordedGame, recordedGames } from '#infra/local/backtest/recorded-prices.ts';
import { readRecording } from '#marketplace/replay.ts';
import { createLoadHistory } from '#shared/dynamo/history.ts';
import { createPipeline, startMs } from '#test/support/pipeline.ts';
import { ruleOf } from '#test/support/rules/market.ts';
import { startTestTables, type TestTables } from '#test/support/tables.ts';

const recording = resolve(import.meta.dirname, '../../../shared/data/resale-nba-2014.csv');
const isThere = existsSync(recording);
if (!isThere) console.warn(`skipped: the recorded prices are not there: ${recording}`);

/** Every 175th game: home teams with cheap and dear tickets. */
const everyNth = 175;
const drop = { type: 'change', metric: 'get_in', drops_by: { percent: 2 } };

function rulesFor({ snapshots }: RecordedGame) {
  const cents = snapshots[0]?.metrics.get_in ?? 5_000;
  return [
    { type: 'level', metric: 'get_in', at_or_below: Math.round(cents * 0.97) / 100 },
    { type: 'level', metric: 'get_in', at_or_above: Math.round(cents * 1.02) / 100 },
    { ...drop, from: { of: 'high', window: '7d' } },
    { ...drop, from: { of: 'previous_snapshot' }, confirmations: 2 },
    { ...drop, from: { of: 'last_alert' } },
    { type: 'extreme', metric: 'get_in', new: 'low', within: '7d' },
    { type: 'any_change', metric: 'get_in', at_most_per_day: 1 },
  ];
}

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

/** The first day is the one on which a pipeline's clock starts, so that the rules are made on it. */
function inPipelineTime({ snapshots, ...game }: RecordedGame): RecordedGame {
  const shift = startMs - (snapshots[0]?.observedAt ?? 0);
  const moved = snapshots.map((each) => ({ ...each, observedAt: each.observedAt + shift }));
  return { ...game, snapshots: moved };
}

/** Shows each day to a pipeline as its poll would; the times of each rule's alerts. */
async function playLive(event: number, { snapshots }: RecordedGame, rules: unknown[]) {
  const pipeline = await createPipeline(tables.stores, { event });
  const watch = await pipeline.addWatch(rules);
  for (const snapshot of snapshots) {
    const { now } = pipeline.clock;
    await tables.stores.snapshots.createAll([{ ...snapshot, eventId: event }], now);
    pipeline.clock.now = snapshot.observedAt;
    await pipeline.feedIsCurrent();
    await pipeline.evaluate();
  }
  return watch.rules.map(({ ruleId }) =>
    pipeline.raised
      .filter((alert) => alert.ruleId === ruleId)
      .map(({ observedAt }) => observedAt)
      .sort((a, b) => a - b),
  );
}

describe.skipIf(!isThere)('a recording', () => {
  it('played live raises the alerts of its backtest', async () => {
    const games = recordedGames(await readRecording(recording));
    const previewRule = createPreviewRule({
      stores: tables.stores,
      loadHistory: createLoadHistory(tables.stores),
    });
    let raised = 0;
    for (const [nth, recorded] of games.filter((_, index) => index % everyNth === 0).entries()) {
      const event = 9_000 + nth;
      const game = inPipelineTime(recorded);
      const rules = rulesFor(game);
      const live = await playLive(event, game, rules);
      const now = game.snapshots.at(-1)?.observedAt ?? 0;
      const previewed = await Promise.all(
        rules.map(async (rule) => {
          const range = { eventId: event, from: 0, through: now, latencyMs: 60_000 };
          const { fires } = await previewRule({ ...range, rule: ruleOf(rule) }, now);
          return fires.map(({ firing }) => firing.observedAt);
        }),
      );
      expect(live, game.name).toEqual(previewed);
      raised += live.flat().length;
    }
    expect(raised).toBeGreaterThan(40);
  });
});
