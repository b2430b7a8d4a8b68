// The last measured figures, and their table in test/proof/bench/README.md.
import * as z from 'zod';
import type { Program } from './program.ts';

const claimSchema = z.object({
  figure: z.string(),
  measured: z.string(),
  asked: z.string().optional(),
  peer: z.string().optional(),
});

const measuredSchema = z.object({
  /** The day, UTC. */
  date: z.iso.date(),
  /** The command that measures them. */
  command: z.string(),
  claims: z.array(claimSchema).min(1),
});

/** By program. */
export const figuresSchema = z.record(z.string(), measuredSchema);
export type Figures = z.infer<typeof figuresSchema>;

const begin = '<!-- figures: npm run bench -->';
const end = '<!-- end of figures -->';

/** A program that has not been run has no rows. */
export function renderTable(figures: Figures, programs: readonly Program[]): string {
  const rows = programs.flatMap(({ name }) => {
    const { date = '', command = '', claims = [] } = figures[name] ?? {};
    return claims.map(({ figure, measured, asked = '', peer = '' }) =>
      [figure, measured, asked, peer, `\`${command}\``, date].map(escapeCell),
    );
  });
  const header = ['Figure', 'Measured', 'Asked', 'Peer in the same run', 'Command', 'Date'];
  const widths = header.map((_, at) =>
    Math.max(3, ...[header, ...rows].map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, fill)).join(' | ')} |`;
  const rule = header.map(() => '');
  return [line(header), line(rule, '-'), ...rows.map((cells) => line(cells))].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** @throws when the document has no place markers for the table */
export function replaceTable(document: string, table: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`test/proof/bench/README.md needs "${begin}" and "${end}"`);
  return `${document.slice(0, from)}${begin}\n\n${table}\n\n${document.slice(to)}`;
}
