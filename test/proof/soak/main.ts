/** `npm run soak`: the whole system under a steady load of alerts; it fails if any measured figure grows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '#infra/local/command.ts';
import { showHeader, showJudgements, showRow } from './screen.ts';
import { readSettings, usage } from './settings.ts';
import { Soak } from './soak.ts';
import { judge } from './verdict.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runCommand(async (stopping) => {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) return say(usage);
  const folder = mkdtempSync(join(tmpdir(), 'getin-soak-'));
  const soak = new Soak(settings, {
    onProgress: (line) => say(`· ${line}`),
    onLoad: showHeader,
    onRow: showRow,
  });
  let holds = false;
  try {
    const result = await soak.run(folder, stopping);
    const { judgements, faults } = judge(result);
    showJudgements(judgements);
    for (const fault of faults) say(`! ${fault}`);
    const { fired, told, missing, doubled } = result.counts;
    const rate = fired / settings.seconds;
    holds = faults.length === 0;
    const { seconds } = settings;
    const courses = judgements.map(({ name, unit, first, last }) => ({ name, unit, first, last }));
    say(JSON.stringify({ holds, seconds, rate, fired, told, missing, doubled, courses }));
  } catch (error) {
    if (!stopping.aborted) for (const trouble of soak.troubles) say(`! ${trouble}`);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!holds) process.exit(1);
});
