// What the marketplace's answers may hold that conforms to its contract and is odd all the same: names
// that break programs, rows in another order, timestamps of the future, a 404 between good answers. It
// only adds, so that what the marketplace really recorded stays the truth for every watch.
import * as z from 'zod';
import type { Dice } from '../dice.ts';
import type { Answer, Request } from './exchange.ts';

export const answerFaults = ['odd_rows', 'future_stamp', 'not_found'] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Zones that no event of a run has by itself. */
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

/** @param zone as it may be stored: half an emoji becomes the replacement character on its way. */
export function isOddZone(zone: string): boolean {
  return oddZones.some((odd) => odd === zone || odd.toWellFormed() === zone.toWellFormed());
}

const minuteMs = 60_000;
/** How far in the future a row may be stamped. */
const aheadMs = [2 * 60 * minuteMs, 26 * 60 * minuteMs, 366 * 24 * 60 * minuteMs];
const endOfTime = Date.UTC(9999, 11, 31);

const page = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
type Row = z.infer<typeof page>['data'][number];

const charged = /^\/v1\/events\/\d+\/(stats|listings)(\?|$)/;
const catalog = /^\/v0\.5\/daily-csv\/download/;

/** Whether the fault means something for this request. */
export function canBeOdd(fault: AnswerFault, { path }: Request): boolean {
  return charged.test(path) || (fault === 'odd_rows' && catalog.test(path));
}

/** What the marketplace says of an event that it does not know, or does not find just now. */
export function notFoundAnswer(now: number): Answer {
  const message = 'no such event';
  const error = { type: 'not_found', code: 'event_not_found', message };
  const headers = { date: new Date(now).toUTCString() };
  return jsonAnswer({ status: 404, headers }, { error });
}

/** Remembers which stats a link has passed on: an answer is charged for what is newer alone. */
export class PassedStats {
  readonly #newest = new Map<string, string>();

  /** @returns whether the answer holds something newer than all before it. */
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

/** @returns the answer with what is odd in it; itself where there is nothing to add to. */
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
  // Rows in an answer without news would look like a refresh that nobody paid for.
  if (!last) return answer;
  const isStats = path.includes('/stats');
  if (fault === 'future_stamp') {
    // A row of the future in an answer without news would look like a refresh that nobody paid for.
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

/** Each snapshot once more, and odd zones beside its own. */
function oddStats(rows: readonly Row[], zones: readonly string[]): Row[] {
  const prices = { get_in: 1, get_in_qty2plus: 0, avg_price: 1, median_price: 1 };
  const odd = zones.map((zone_name) => ({ zone_name, ...prices }));
  const withZones = rows.map((row): Row => {
    const own = z.array(z.unknown()).parse(row.zones);
    return { ...row, zones: [...own, ...odd] };
  });
  return [...withZones, ...withZones];
}

/** Listings without a section and a row, with the largest id and price that a program may hold. */
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

/** Events that nobody watches, with times that no clock shows. */
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
