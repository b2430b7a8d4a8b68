/** Prints a soak at 80 columns: one row per minute, then the verdict on each figure. */
import type { Judgement } from './growth.ts';
import { isEmulator, type Row } from './rows.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function showHeader(): void {
  say('          alerts refresh to receipt  oldest message, s  heaps and more, MB');
  say(' time fired told  p50  p95  p99 s  poll eval mail hook   rss func  emu disk cpu');
}

export function showRow({ endsAtSeconds, ...row }: Row): void {
  const { poll, evaluate, email, webhook } = row.oldest;
  const heap = (which: (part: string) => boolean) =>
    Object.entries(row.heaps).reduce((sum, [part, size]) => sum + (which(part) ? size : 0), 0);
  const cells = [
    clock(endsAtSeconds).padStart(5),
    whole(row.fired, 5),
    whole(row.told, 4),
    ...Object.values(row.latency).map((ms) => tenths(ms / 1_000, 4)),
    '  ',
    ...[poll, evaluate, email, webhook].map((age) => tenths(age, 4)),
    whole(row.rss, 5),
    whole(
      heap((part) => !isEmulator(part)),
      4,
    ),
    whole(heap(isEmulator), 4),
    whole(row.disk, 4),
    tenths(row.cores, 3),
  ];
  say(cells.join(' '));
}

export function showJudgements(judgements: readonly Judgement[]): void {
  say('');
  say(`${'median of'.padEnd(38)} first third   last third   at most`);
  for (const { name, unit, first, last, limit, isGrowing } of judgements) {
    const [a, b, most] = [first, last, limit].map((value) => value.toFixed(1).padStart(9));
    say(
      `${name.padEnd(38)} ${a} ${unit.padEnd(2)} ${b} ${unit.padEnd(2)} ${most}${isGrowing ? ' !' : ''}`,
    );
  }
  say('');
}

function whole(value: number, width: number): string {
  return value.toFixed(0).padStart(width);
}

function tenths(value: number, width: number): string {
  return (Number.isNaN(value) ? '-' : value.toFixed(1)).padStart(width);
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
}
