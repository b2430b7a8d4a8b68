// The rules that plain columns of a spreadsheet can say: a price at or below a level in a zone or in some seats, and
// a drop from the day's high. Pure; every other rule needs the column `rules`.
import { type Rule, ruleSchema } from '#shared/rules/language/rule.ts';
import { canonicalRule } from '#shared/rules/language/validate.ts';
import { amountIn } from './written-amount.ts';

export const plainColumns = ['zone', 'section', 'row', 'at_or_below', 'drop_percent'] as const;
export type PlainColumn = (typeof plainColumns)[number];
/** The cells with text. */
export type PlainCells = Partial<Record<PlainColumn, string>>;

export interface ColumnFault {
  column: string;
  detail: string;
}

export type PlainReading = { rules: unknown[] } | { faults: ColumnFault[] };

/** What a drop is measured from. */
const dropFrom = { of: 'high', window: '24h' } as const;

/** The rules of a row, as a request would have them; none without any cell. */
export function rulesOfPlain(cells: PlainCells): PlainReading {
  const { zone, section, row, at_or_below: level, drop_percent: drop } = cells;
  const faults: ColumnFault[] = [];
  const amount = (column: PlainColumn, text: string | undefined, example: string) => {
    const value = text === undefined ? undefined : amountIn(text);
    if (text !== undefined && value === undefined) {
      faults.push({ column, detail: `must be a number such as ${example}` });
    }
    return value;
  };
  const atOrBelow = amount('at_or_below', level, '75 or 75.50');
  const percent = amount('drop_percent', drop, '15');
  const hasSeats = section !== undefined || row !== undefined;
  if (hasSeats && level === undefined) {
    const column = section === undefined ? 'row' : 'section';
    faults.push({ column, detail: 'needs a price in at_or_below' });
  }
  if (zone !== undefined && level === undefined && drop === undefined) {
    faults.push({ column: 'zone', detail: 'needs at_or_below or drop_percent' });
  }
  if (faults.length > 0) return { faults };
  const inZone = zone !== undefined && { zone };
  const seats = {
    ...(zone !== undefined && { zones: [zone] }),
    ...(section !== undefined && { sections: listOf(section) }),
    ...(row !== undefined && { rows: listOf(row) }),
  };
  const price = hasSeats
    ? { type: 'listing', ...seats, at_or_below: atOrBelow }
    : { type: 'level', metric: 'get_in', ...inZone, at_or_below: atOrBelow };
  const fall = {
    ...{ type: 'change', metric: 'get_in', ...inZone },
    ...{ drops_by: { percent }, from: dropFrom },
  };
  return {
    rules: [...(atOrBelow === undefined ? [] : [price]), ...(percent === undefined ? [] : [fall])],
  };
}

/** The cells that say exactly these rules; undefined if plain columns can't say them. */
export function plainOf(rules: readonly Rule[]): PlainCells | undefined {
  const cells = Object.assign({}, ...rules.map(cellsOf)) as PlainCells;
  const reading = rulesOfPlain(cells);
  if ('faults' in reading || reading.rules.length !== rules.length) return undefined;
  const isSame = reading.rules.every((rule, index) => {
    const own = rules[index];
    const parsed = ruleSchema.safeParse(rule);
    return parsed.success && own && canonicalRule(parsed.data) === canonicalRule(own);
  });
  return isSame ? cells : undefined;
}

/** The cells that say most of a rule. */
function cellsOf(rule: Rule): PlainCells {
  if (rule.type === 'level') return named({ zone: rule.zone, at_or_below: rule.at_or_below });
  if (rule.type === 'listing') {
    const { zones, sections, rows, at_or_below } = rule;
    return named({
      zone: zones?.[0],
      section: sections?.join(', '),
      row: rows?.join(', '),
      at_or_below,
    });
  }
  if (rule.type !== 'change') return {};
  return named({ zone: rule.zone, drop_percent: rule.drops_by?.percent });
}

function named(cells: Partial<Record<PlainColumn, string | number | undefined>>): PlainCells {
  const found = Object.entries(cells).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(found.map(([column, value]) => [column, String(value)]));
}

/** Parts between commas, semicolons or line breaks. */
export function listOf(cell: string): string[] {
  return cell
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
