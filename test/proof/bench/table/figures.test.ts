import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { figuresSchema, renderTable, replaceTable } from './figures.ts';
import { program, wasSkipped } from './program.ts';
import { programs } from './programs.ts';

const here = (path: string) => new URL(path, import.meta.url);
const readme = readFileSync(here('../README.md'), 'utf8');
const figures = figuresSchema.parse(JSON.parse(readFileSync(here('./figures.json'), 'utf8')));

describe("the README's table", () => {
  it('is the one of the figures as last measured', () => {
    expect(replaceTable(readme, renderTable(figures, programs))).toBe(readme);
  });

  it('has figures of every program, and of no other', () => {
    expect(Object.keys(figures).sort()).toEqual(programs.map(({ name }) => name).sort());
  });

  it('leaves out no program of the folder', () => {
    const files = readdirSync(here('..')).filter(
      (name) => name.endsWith('.ts') && name !== 'main.ts',
    );
    const run = programs.map(({ run }) => run);
    const missing = files.filter(
      (name) => !run.some((one) => one.endsWith(`test/proof/bench/${name}`)),
    );
    expect(missing).toEqual([]);
  });
});

describe('a last line', () => {
  it.each([
    { line: { bench: 'history', skipped: true }, isSkipped: true },
    { line: { bench: 'history', recorded: [] }, isSkipped: false },
    { line: { bench: 'history', skipped: 0 }, isSkipped: false },
    { line: null, isSkipped: false },
  ])('$line counts as skipped: $isSkipped', ({ line, isSkipped }) => {
    expect(wasSkipped(line)).toBe(isSkipped);
  });
});

describe('a claim', () => {
  const one = program({
    name: 'one',
    run: 'node one.ts',
    minutes: 1,
    schema: z.object({ ratio: z.number() }),
    claims: ({ ratio }) => [{ figure: 'a | b', measured: String(ratio), asked: '1' }],
  });

  it('becomes a row with its command and date', () => {
    const claims = one.claimsOf({ bench: 'one', ratio: 0.5 });
    const table = renderTable({ one: { date: '2026-11-28', command: 'node one.ts', claims } }, [
      one,
    ]);
    expect(table.split('\n').at(-1)).toBe(
      '| a \\| b | 0.5      | 1     |                      | `node one.ts` | 2026-11-28 |',
    );
  });

  it('can not vanish: a program that no longer prints it is an error', () => {
    expect(() => one.claimsOf({ bench: 'one' })).toThrow('ratio');
  });

  it('needs a place in the document', () => {
    expect(() => replaceTable('# Benchmarks', 'table')).toThrow('needs');
  });
});
