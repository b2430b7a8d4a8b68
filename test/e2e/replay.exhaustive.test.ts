// Recorded prices through the whole system: a slice of ../shared/data, beside the checkout.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const recording = resolve(root, '../shared/data/resale-nba-2014.csv');
const isThere = existsSync(recording);
if (!isThere) console.warn(`skipped: the recorded prices are not there: ${recording}`);

/** The header, the first days of a few games, and one line that is none. */
function slice(games: number, days: number): string {
  const [header = '', ...lines] = readFileSync(recording, 'utf8').trimEnd().split('\n');
  const rows = lines.map((line) => ({ line, game: line.split(',')[0], day: line.split(',')[4] }));
  const firstGames = new Set([...new Set(rows.map(({ game }) => game))].slice(0, games));
  const firstDays = new Set([...new Set(rows.map(({ day }) => day))].sort().slice(0, days));
  const kept = rows.filter(({ game, day }) => firstGames.has(game) && firstDays.has(day));
  return [header, ...kept.map(({ line }) => line), 'not,a,row', ''].join('\n');
}

/** The number that the summary gives before these words. */
function told(output: string, words: string): number {
  return Number(new RegExp(`(\\d[\\d,]*)\\s+${words}`).exec(output)?.[1]?.replaceAll(',', ''));
}

describe.skipIf(!isThere)('npm run replay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'getin-replay-test-'));
  const file = join(folder, 'slice.csv');
  beforeAll(() => writeFileSync(file, slice(8, 3)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('plays a recording through to alerts, and says what it took', () => {
    const args = ['infra/local/replay.ts', file, '--speed', '17280', '--tick', '1s'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
    });
    const output = stdout + stderr;

    expect(status, output).toBe(0);
    expect(told(output, 'snapshots ingested')).toBe(22);
    expect(told(output, 'lines? skipped')).toBe(1);
    expect(told(output, 'alerts sent')).toBeGreaterThan(0);
    expect(told(output, 'deliveries failed')).toBe(0);
    expect(told(output, 'pulls charged')).toBeLessThanOrEqual(22);
  });
});
