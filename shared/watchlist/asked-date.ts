// Dates as people write them in a search: "dec 2", "2 December 2026", "2026-12-02", "12/2".

/** A date, or the known part of one; the month and the day count from 1. */
export interface AskedDate {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
];
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const year = '(20\\d\\d)';
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const edge = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';

type Found = readonly (string | undefined)[];

interface DateForm {
  pattern: RegExp;
  read: (found: Found) => AskedDate;
}

/** The forms of a date, the most particular first. */
const forms: readonly DateForm[] = [
  form(`${year}[-/.](\\d{1,2})[-/.](\\d{1,2})`, ([y, m, d]) => dateOf({ y, m, d })),
  form(`${year}-(\\d{1,2})`, ([y, m]) => dateOf({ y, m })),
  form(`(\\d{1,2})/(\\d{1,2})(?:/${year})?`, ([m, d, y]) => dateOf({ y, m, d })),
  form(`${month}\\.?,? +${day}(?:,? +${year})?`, ([name, d, y]) => dateOf({ y, name, d })),
  form(`${day} +(?:of +)?${month}\\.?(?:,? +${year})?`, ([d, name, y]) => dateOf({ y, name, d })),
  form(`${month}\\.?,? +${year}`, ([name, y]) => dateOf({ y, name })),
];

function form(pattern: string, read: DateForm['read']): DateForm {
  return { pattern: new RegExp(`${edge}${pattern}${end}`, 'gu'), read };
}

/** The dates in a text in lower case, and the text without them. Impossible dates stay in the text. */
export function takeDates(text: string): { dates: AskedDate[]; rest: string } {
  const dates: AskedDate[] = [];
  const rest = forms.reduce(
    (left, { pattern, read }) =>
      left.replaceAll(pattern, (written: string, ...found: string[]) => {
        const date = read(found.slice(0, 3));
        if (!isPossible(date)) return written;
        dates.push(date);
        return ' ';
      }),
    text,
  );
  return { dates, rest };
}

/** What a single word may mean besides a name: a month or a year; undefined if it is neither. */
export function dateInWord(word: string): AskedDate | undefined {
  if (new RegExp(`^${month}$`).test(word)) return dateOf({ name: word });
  return /^20\d\d$/.test(word) ? { year: Number(word) } : undefined;
}

/** Whether a date, YYYY-MM-DD, has every part that is asked for. */
export function fitsDate(date: string, asked: AskedDate): boolean {
  const [year, month, day] = date.split('-').map(Number);
  return (
    (asked.year ?? year) === year && (asked.month ?? month) === month && (asked.day ?? day) === day
  );
}

/**
 * The beginning of the dates that are asked for, such as 2026-12-02 or 2026-12. Without a year, it is the
 * next such date from `today`, YYYY-MM-DD, on. Undefined if no beginning covers them.
 */
export function datePrefix({ year, month, day }: AskedDate, today: string): string | undefined {
  if (year !== undefined) return [year, month, day].flatMap(twoDigits).join('-');
  if (month === undefined || day === undefined) return undefined;
  const rest = [month, day].flatMap(twoDigits).join('-');
  const thisYear = Number(today.slice(0, 4));
  return `${`${thisYear}-${rest}` < today ? thisYear + 1 : thisYear}-${rest}`;
}

function twoDigits(part: number | undefined): string[] {
  return part === undefined ? [] : [String(part).padStart(2, '0')];
}

interface DateParts {
  y?: string | undefined;
  m?: string | undefined;
  d?: string | undefined;
  name?: string | undefined;
}

function dateOf({ y, m, d, name }: DateParts): AskedDate {
  const named = name && months.findIndex((each) => each.startsWith(name.slice(0, 3))) + 1;
  const number = named || (m && Number(m));
  return {
    ...(y && { year: Number(y) }),
    ...(number && { month: number }),
    ...(d && { day: Number(d) }),
  };
}

/** Every month counts 31 days here: a date that never comes finds nothing. */
function isPossible({ month = 1, day = 1 }: AskedDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
