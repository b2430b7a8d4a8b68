// Odd content that the marketplace's contract allows: names
// that break programs, rows in another order, timestamps in the future, a 404 between good answers. It
// only adds, so that the marketplace's own records stay the truth for every watch.
import * as z from 'zod';
import type { Dice } from '../dice.ts';
import type { Answer, Request } from './exchange.ts';

export const answerFaults = ['odd_rows', 'future_stamp', 'not_found'] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Zones that no event of a run has otherwise. */
export const oddZones: readonly string[] = [
  'constructor',
  '__proto__',
  'toString',
  'half an emoji \ud83d',
  '',
  'a/b=c,d;e#f%zz',
  'Z'.repeat(5_000),
  '\u202eright to left\u0000',
];

/** @param zone the name as stored: an unpaired surrogate becomes the replacement character. */
export function isOddZone(zone: string): boolean {
  return oddZones.some((odd) => odd === zone || odd.toWellFormed() === zone.toWellFormed());
}

const minuteMs = 60_000;
/** How far in the future a row's timestamp may be. */
const aheadMs = [2 * 60 * minuteMs, 26 * 60 * minuteMs, 366 * 24 * 60 * minuteMs];
const endOfTime = Date.UTC(9999, 11, 31);

const page = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
type Row = z.infer<typeof page>['data'][number];

const charged = /^\/v1\/events\/\d+\/(stats|listings)(\?|$)/;
const catalog = /^\/v0\.5\/daily-csv\/download/;

/** Whether the fault applies to this request. */
export function canBeOdd(fault: AnswerFault, { path }: Request): boolean {
  return charged.test(path) || (fault === 'odd_rows' && catalog.test(path));
}

/** The marketplace's answer for an event that it does not know, or temporarily does not find. */
export function notFoundAnswer(now: number): Answer {
  const message = 'no such event';
  const error = { type: 'not_found', code: 'event_not_found', message };
  const headers = { date: new Date(now).toUTCString() };
  return jsonAnswer({ status: 404, headers }, { error });
}

/** Remembers which stats a link has forwarded: only newer data is charged. */
export class PassedStats {
  readonly #newest = new Map<string, string>();

  /** @returns whether the answer contains anything newer than all answers before it. */
  note({ path }: Request, { status, body }: Answer): boolean {
    const event = /^\/v1\/events\/\d+\/stats/.exec(path)?.[0];
    if (event === undefined || status !== 200) return false;
    const { data } = page.parse(JSON.parse(body.toString()));
    const newest =
      data
        .map(({ timestamp }) => String(timestamp))
        .sort()
        .at(-1) ?? '';
    const isNews = newest > (this.#newest.get(event) ?? '');
    if (isNews) this.#newest.set(event, newest);
    return isNews;
  }
}

/** @returns the answer with odd content; the same answer if nothing can be added. */
export function makeOdd(
  fault: AnswerFault,
  { path }: Request,
  answer: Answer,
  { dice, now, hasNews }: { dice: Dice; now: number; hasNews: boolean },
): Answer {
  if (answer.status !== 200) return answer;
  if (catalog.test(path)) return oddCatalog(answer, dice);
  const body = page.parse(JSON.parse(answer.body.toString()));
  const last = body.data.at(-1);
  // Extra rows in an answer without new data would look like a refresh that was never charged.
  if (!last) return answer;
  const isStats = path.includes('/stats');
  if (fault === 'future_stamp') {
    // A future row in an answer without new data would look like a refresh that was never charged.
    if (!isStats || !hasNews) return answer;
    return jsonAnswer(answer, { ...body, data: [...body.data, stampedAhead(last, dice, now)] });
  }
  const zones = oddZones.filter(() => dice.chance(0.4));
  const rows = isStats ? oddStats(body.data, zones) : oddListings(body.data, zones);
  return jsonAnswer(answer, { ...body, data: dice.chance(0.5) ? rows : rows.reverse() });
}

function stampedAhead(row: Row, dice: Dice, now: number): Row {
  const at = dice.chance(0.2) ? endOfTime : now + dice.pick(aheadMs);
  return { ...row, timestamp: new Date(at).toISOString(), get_in: 1, median_price: 1 };
}

/** Each snapshot twice, and odd zones beside its own. */
function oddStats(rows: readonly Row[], zones: readonly string[]): Row[] {
  const prices = { get_in: 1, get_in_qty2plus: 0, avg_price: 1, median_price: 1 };
  const odd = zones.map((zone_name) => ({ zone_name, ...prices }));
  const withZones = rows.map((row): Row => {
    const own = z.array(z.unknown()).parse(row.zones);
    return { ...row, zones: [...own, ...odd] };
  });
  return [...withZones, ...withZones];
}

/** Listings without section and row, with the largest id and price that are allowed. */
function oddListings(rows: readonly Row[], zones: readonly string[]): Row[] {
  const [first] = rows;
  const odd = zones.map(
    (zone, index): Row => ({
      ...first,
      listing_id: Number.MAX_SAFE_INTEGER - index,
      ...{ zone, section: '', row: '', quantity: 1, price: 9_999_999.99 },
    }),
  );
  return [...rows, ...odd];
}

/** Events that no watch is on, with unusual times. */
function oddCatalog(answer: Answer, dice: Dice): Answer {
  const text = answer.body.toString();
  const [header = '', first] = text.split('\r\n');
  if (first === undefined || first === '') return answer;
  const columns = header.split(',');
  const values: Record<string, string> = {
    event_id: '99000001',
    event_name: '"constructor ""\ud83c"',
    event_time: dice.pick(['24:00', '99:99', '19:60', '']),
    event_date: dice.pick(['2026-02-30', '9999-12-31', '0000-00-00']),
  };
  const row = columns.map((column) => values[column] ?? '').join(',');
  const rest = text.slice(header.length);
  return { ...answer, body: Buffer.from(`${header}\r\n${row}${rest}`) };
}

function jsonAnswer({ status, headers }: Omit<Answer, 'body'>, body: unknown): Answer {
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...headers, ...type }, body: Buffer.from(JSON.stringify(body)) };
}
