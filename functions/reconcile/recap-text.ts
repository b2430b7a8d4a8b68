// The words of a recap: after an event, what its price did, what each watch told of it, what was paid, and what
// watching cost. Pure.
import type { Alert } from '#shared/alerts/alert.ts';
import { eventNameText } from '#shared/delivery/message/event-text.ts';
import { eventDateText, momentText, moneyText } from '#shared/delivery/message/figures.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { flatPricePerPull } from '#shared/polling/assumptions.ts';
import type { PriceRecord } from '#shared/polling/price-record.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf } from '#shared/rules/sources/sources.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { groupThousands } from '#shared/rules/words/words.ts';
import type { EventFacts } from '#shared/watchlist/event-facts.ts';
import type { Watch } from '#shared/watchlist/watch.ts';

/** What a recap tells, to one owner. */
export interface RecapFacts {
  facts: EventFacts;
  /** The prices that the event's feed has seen; undefined if there were none. */
  record: PriceRecord | undefined;
  /** What the owner's watches on the event have cost, in millionths of a pull. */
  micropulls: number;
  /** The owner's watches on the event. */
  watches: readonly Watch[];
  /** The alerts of these watches that were raised. */
  alerts: readonly Alert[];
  /** How many of the owner's alerts were read, if there are older ones that may be about the event. @default all */
  alertsRead?: number | undefined;
  /** The owner's IANA zone. */
  timeZone: string;
}

export interface Recap {
  title: string;
  /** Paragraphs, each without line breaks. */
  paragraphs: string[];
}

/** How many rules and purchases a recap names; chats show some 4,000 characters. */
const mostNamed = 12;
const longestSentence = 300;

/** The recap of an event for one owner. */
export function recapOf(recap: RecapFacts): Recap {
  const { facts, record, timeZone } = recap;
  const name = eventNameText(facts.name, facts.eventId);
  const date = eventDateText(facts.date, facts.time);
  const title =
    record === undefined
      ? `Over: ${name}`
      : `Lowest ${moneyText(record.lowCents)}: ${name} · over, recap`;
  const paragraphs = [
    date === undefined ? `${name} is over.` : `${name}, ${date}, is over.`,
    ...(record === undefined ? [] : [priceText(record, timeZone)]),
    ...rulesText(recap),
    ...countedText(recap),
    ...purchasesText(recap),
    costText(recap.micropulls),
    'Its watches have ended and cost nothing more. To get no recaps, set `recaps` to false with PATCH /v1/owner.',
  ];
  return { title, paragraphs };
}

/** "Listed get-in: $164 at first (Nov 21, 2:00 PM EST), lowest $112 (Dec 1, 2:41 PM EST), $131 at last." */
function priceText(record: PriceRecord, timeZone: string): string {
  if (record.firstAt === record.lastAt) {
    const when = momentText(record.lastAt, timeZone);
    return `Listed get-in: ${moneyText(record.lastCents)}, seen once (${when}).`;
  }
  const told = (cents: number, at: number) => `${moneyText(cents)} (${momentText(at, timeZone)})`;
  const first = told(record.firstCents, record.firstAt);
  const low = told(record.lowCents, record.lowAt);
  return `Listed get-in: ${first} at first, ${low} at its lowest, ${told(record.lastCents, record.lastAt)} at last.`;
}

function rulesText({ watches, alerts, timeZone }: RecapFacts): string[] {
  const rules = watches.flatMap((watch) => watch.rules.map((rule) => ({ watch, ...rule })));
  const told = rules.slice(0, mostNamed).map(({ watch, ruleId, rule }) => {
    const own = alerts.filter((alert) => alert.ruleId === ruleId && alert.role !== 'recovery');
    const name = watch.name === undefined ? '' : `“${nameText(watch.name)}” · `;
    return `${name}${nameText(ruleSentence(rule), longestSentence)}: ${alertsText(own, timeZone)}.`;
  });
  const left = rules.length - told.length;
  return left === 0 ? told : [...told, `And ${left} more ${left === 1 ? 'rule' : 'rules'}.`];
}

/** The counts are too low if the owner has more alerts than were read. */
function countedText({ alertsRead }: RecapFacts): string[] {
  if (alertsRead === undefined) return [];
  return [`Only your newest ${groupThousands(alertsRead)} alerts were counted.`];
}

/** "3 alerts, first at $118 on Nov 28, 2:02 PM EST, lowest $112". */
function alertsText(alerts: readonly Alert[], timeZone: string): string {
  const [first, ...others] = [...alerts].sort((a, b) => a.observedAt - b.observedAt);
  if (!first) return 'no alert';
  const count = others.length === 0 ? '1 alert' : `${others.length + 1} alerts`;
  const when = momentText(first.observedAt, timeZone);
  if (!isPrice(first)) return `${count}, the first on ${when}`;
  const lowest = Math.min(...alerts.filter(isPrice).map(({ base }) => base));
  const lower = lowest < first.base ? `, the lowest ${moneyText(lowest)}` : '';
  return `${count}, the first at ${moneyText(first.base)} on ${when}${lower}`;
}

function isPrice({ series, role }: Alert): boolean {
  return role !== 'no_data' && unitOf(parseSeries(series).base) === 'price';
}

function purchasesText({ watches, record }: RecapFacts): string[] {
  const paid = watches.flatMap((watch) => paidText(watch, record));
  const left = paid.length - mostNamed;
  return left <= 0 ? paid : [...paid.slice(0, mostNamed), `And ${left} more, by other watches.`];
}

/** "You paid $118 a ticket: $6 more than the lowest listed price." */
function paidText({ bought }: Watch, record: PriceRecord | undefined): string[] {
  if (bought?.paidCents === undefined) return bought ? ['You bought a ticket.'] : [];
  const paid = `You paid ${moneyText(bought.paidCents)} a ticket`;
  if (record === undefined) return [`${paid}.`];
  const over = bought.paidCents - record.lowCents;
  if (over === 0) return [`${paid}: the lowest listed price.`];
  const side = over > 0 ? 'more' : 'less';
  return [`${paid}: ${moneyText(Math.abs(over))} ${side} than the lowest listed price.`];
}

/** "Your watches on it cost 12.5 pulls ($0.19)." */
function costText(micropulls: number): string {
  const pulls = Math.round(micropulls / 10_000) / 100;
  const value = moneyText(Math.round(pulls * flatPricePerPull * 100));
  return `Your watches on it cost ${pulls} ${pulls === 1 ? 'pull' : 'pulls'} (${value}).`;
}
