/**
 * `npm run backtest -- FILE --rule JSON`: a rule on recorded prices, without any server. Prints how often the
 * rule would have fired with each of up to 40 amounts, and the amount that comes nearest to the aim.
 */
import { existsSync, statSync } from 'node:fs';
import { readRecording } from '#marketplace/replay.ts';
import { runBacktest } from '#shared/backtest/backtest.ts';
import { amountOf, type RuleAmount } from '#shared/backtest/rule-amount.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { readRule } from '#shared/rules/language/validate.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { type Tested, testOnLaterHalf } from './backtest/halves.ts';
import { type RecordedGame, recordedGames } from './backtest/recorded-prices.ts';
import { amountsLine, amountText, curveTable, laterTable } from './backtest/tables.ts';
import { runCommand } from './command.ts';
import { LocalRunError, messageOf } from './errors.ts';
import { parsePositive, readFlags } from './flags.ts';

const usage = `npm run backtest -- FILE --rule JSON [flags]

  FILE         a CSV of recorded prices, a row per event, day and zone
  --rule JSON  the rule, as the API takes it
  --event ID   only this sh_event_id: prints its alerts by amount
  --aim N      wished alerts a week (1)

Without --event, the amount is fitted on the earlier half of each event's prices and
tested on the later half.`;

const latencyMs = 60_000;
const mostAim = 100;
/** Events between two lines of progress. */
const toldEvery = 250;

interface Settings {
  file: string;
  rule: Rule;
  own: RuleAmount;
  eventId: number | undefined;
  aim: number;
}

await runCommand(async (stopping) => {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) return say(usage);
  const { rule, eventId } = settings;
  const games = recordedGames(await readGames(settings.file));
  say(ruleSentence(rule));
  if (eventId === undefined) return testAll(games, settings, stopping);
  const game = games.find(({ id }) => id === eventId);
  if (!game) throw new LocalRunError(`${settings.file} has no event ${eventId}.`);
  await showOne(game, settings);
});

async function readGames(file: string) {
  try {
    return await readRecording(file);
  } catch (error) {
    throw new LocalRunError(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

async function showOne(game: RecordedGame, { rule, own, aim }: Settings): Promise<void> {
  const { id: eventId, snapshots } = game;
  const input = { eventId, snapshots, eventStartsAt: null };
  const backtest = await runBacktest(rule, input, { aimPerWeek: aim, latencyMs });
  say(`${game.name}, ${snapshots.length} recorded days\n`);
  say(curveTable(backtest, { kind: own.kind, own: own.amount }).join('\n'));
  say('');
  const { suggested } = backtest;
  say(
    suggested
      ? `About ${aim} a week: ${amountText(suggested.amount, own.kind)}. ${ruleSentence(suggested.rule)}.`
      : 'No amount is suggested: less than a week is recorded, or no amount fired.',
  );
}

async function testAll(
  games: readonly RecordedGame[],
  { rule, own, aim }: Settings,
  stopping: AbortSignal,
): Promise<void> {
  const tested: Tested[] = [];
  for (const [index, game] of games.entries()) {
    if (stopping.aborted) return;
    const found = await testOnLaterHalf(rule, game, aim);
    if (found) tested.push(found);
    if ((index + 1) % toldEvery === 0) say(`· ${index + 1} of ${games.length} events`);
  }
  if (tested.length === 0) {
    throw new LocalRunError(
      'No event has two halves of at least a week in which the rule can be fitted. Try --event ID or another rule.',
    );
  }
  say(
    `\nFitted to ${aim} a week on the earlier half, alerts in the later half\n(${tested.length} of ${games.length} events; the others are too short or never fired):\n`,
  );
  say(laterTable(tested).join('\n'));
  say(`\n${amountsLine(tested, own.kind)}`);
}

/** @returns undefined if help was asked for */
function readSettings(args: string[]): Settings | undefined {
  const { values, positionals } = readFlags({
    args,
    allowPositionals: true,
    options: {
      rule: { type: 'string' },
      event: { type: 'string' },
      aim: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.rule === undefined) {
    throw new LocalRunError(
      'Give one file and a rule: npm run backtest -- FILE --rule JSON. See --help.',
    );
  }
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new LocalRunError(`There is no file ${file}.`);
  }
  const rule = parseRule(values.rule);
  const own = amountOf(rule);
  if (!own) {
    throw new LocalRunError(
      'This rule has no amount to choose. Give a level, or a change by percent or dollars.',
    );
  }
  const eventId = values.event === undefined ? undefined : Number(values.event);
  if (eventId !== undefined && !Number.isSafeInteger(eventId)) {
    throw new LocalRunError(`--event takes an sh_event_id, not "${values.event}".`);
  }
  return { file, rule, own, eventId, aim: parsePositive('aim', values.aim, mostAim) };
}

/** @throws LocalRunError naming each fault of the rule */
function parseRule(json: string): Rule {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    throw new LocalRunError(`--rule is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const read = readRule(given);
  if (read.ok) return read.rule;
  const faults = read.faults.map(({ pointer, message }) => `  ${pointer} ${message}`.trimEnd());
  throw new LocalRunError(`The rule has faults:\n${faults.join('\n')}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
