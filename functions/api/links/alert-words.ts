// What is true now of an alert's watch, in words for its page.
import type { Alert } from '#shared/alerts/alert.ts';
import { askedLevelOf } from '#shared/alerts/asked-level.ts';
import { channelTitle } from '#shared/delivery/message/channel-title.ts';
import { eventNameText, venueText } from '#shared/delivery/message/event-text.ts';
import {
  ageText,
  eventDateText,
  momentText,
  moneyText,
  shareText,
  valueText,
} from '#shared/delivery/message/figures.ts';
import { nameText } from '#shared/delivery/message/plain-text.ts';
import { scopeText } from '#shared/delivery/message/scope.ts';
import type { Rule } from '#shared/rules/language/rule.ts';
import { parseSeries } from '#shared/rules/series.ts';
import { unitOf, wordsOf } from '#shared/rules/sources/sources.ts';
import { ruleSentence } from '#shared/rules/words/sentence.ts';
import { capitalize } from '#shared/rules/words/words.ts';
import { everyWatch, forever } from '#shared/watchlist/channel.ts';
import type { LinkPage } from './link-page.ts';
import type { LinkedAlert } from './linked-alert.ts';

const longestSentence = 1_000;

/** "Get-in of Lower Bowl at or below $80". */
export function sentenceText(rule: Rule): string {
  return nameText(ruleSentence(rule), longestSentence);
}

/** The event's name; a name without any visible character is replaced by the event's id. */
export function eventTitle({ alert, facts }: Pick<LinkedAlert, 'alert' | 'facts'>): string {
  return eventNameText(facts?.name ?? alert.eventName, alert.eventId);
}

/** "Sun, Mar 1, 2026, 7:00 PM · Barclays Center, Brooklyn". */
export function whenAndWhere({ alert, facts }: LinkedAlert): string | undefined {
  const { date = alert.eventDate, time = alert.eventTime } = facts ?? {};
  const venue = facts?.venueName ?? alert.venueName;
  const place = venueText(venue, facts?.venueCity ?? alert.venueCity);
  const parts = [eventDateText(date, time), place].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** The number now, large, and a line about it; undefined while no snapshot is stored. */
export function numberNow(state: LinkedAlert): LinkPage['value'] {
  const { alert, number, now, rule } = state;
  if (!number) return undefined;
  const asked = rule && askedLevelOf(rule.rule);
  const { base } = parseSeries(alert.series);
  const level = asked == null ? [] : [`your level is ${valueText(unitOf(base), asked)}`];
  const age = `${ageText(now - number.observedAt)} ago`;
  const { value } = number;
  if (value === null) {
    return { text: 'None', about: [subjectText(alert), 'nothing is for sale', age].join(' · ') };
  }
  const about = [subjectText(alert), age, ...sinceAlert(alert, value), ...level];
  return { text: toldNumber(alert, value), about: about.join(' · ') };
}

/** "Get-in, Lower Bowl". */
function subjectText({ series }: Alert): string {
  const { base } = parseSeries(series);
  const scope = scopeText(base);
  const words = capitalize(wordsOf(base));
  return scope === undefined ? words : `${words}, ${scope}`;
}

function toldNumber({ series }: Alert, value: number): string {
  const { base } = parseSeries(series);
  if (base.kind === 'presence') return value > 0 ? 'For sale' : 'Sold out';
  return valueText(unitOf(base), value);
}

/** "5% below the alert". */
function sinceAlert({ base, role, series }: Alert, value: number): string[] {
  const isNumber = parseSeries(series).base.kind !== 'presence' && role !== 'no_data';
  if (!isNumber || base <= 0) return [];
  if (value === base) return ['the same as at the alert'];
  const share = shareText(Math.abs(value - base) / base);
  return [`${share} ${value < base ? 'below' : 'above'} the alert`];
}

/** The rows of the page's table. */
export function factRows(state: LinkedAlert): [string, string][] {
  const { alert, timeZone, number } = state;
  const told = alert.role === 'no_data' ? 'None' : toldNumber(alert, alert.base);
  return [
    ...(number ? [] : [['Now', 'No snapshot of this event is stored.'] as [string, string]]),
    ['At the alert', `${told} on ${momentText(alert.observedAt, timeZone)}`],
    ['Rule', ruleText(state)],
    ['Watch', watchText(state)],
    ['Channel', hereText(state)],
  ];
}

function ruleText({ alert, rule, watch }: LinkedAlert): string {
  const before = alertSentence(alert);
  if (watch.kind !== 'there') return before;
  if (!rule) return `${before} (removed since)`;
  const sentence = sentenceText(rule.rule);
  return sentence === before ? sentence : `${sentence} (when it alerted: ${before})`;
}

function alertSentence({ sentence }: Alert): string {
  return nameText(sentence, longestSentence);
}

/** "On", "Ended: you bought a ticket for $95 on Nov 28, 12:01 PM EST". */
function watchText({ watch: found, isOver, timeZone, now }: LinkedAlert): string {
  if (found.kind === 'deleted') return `Deleted on ${momentText(found.at, timeZone)}`;
  if (found.kind === 'gone') return 'Deleted';
  if (found.kind === 'damaged') return 'Its stored form is damaged: it can’t be changed here';
  const { bought, status, snoozedUntil = 0, name } = found.watch;
  const named = name === undefined ? '' : ` (${nameText(name)})`;
  if (bought) {
    const price = bought.paidCents === undefined ? '' : ` for ${moneyText(bought.paidCents)}`;
    return `Ended: you bought a ticket${price} on ${momentText(bought.at, timeZone)}${named}`;
  }
  if (isOver) return `Ended: the event is over${named}`;
  if (status !== 'active') return `${capitalize(status)}: it raises no alerts${named}`;
  if (snoozedUntil > now) return `Snoozed until ${momentText(snoozedUntil, timeZone)}${named}`;
  return `On${named}`;
}

/** Whether alerts come to this channel. */
function hereText(state: LinkedAlert): string {
  const { channel, suppressedBecause, watch, timeZone, now } = state;
  const title = nameText(channelTitle(channel));
  if (channel.status === 'unsubscribed') return `Stopped: nothing more is sent to your ${title}`;
  if (channel.status !== 'active') return `Nothing is sent to your ${title}: it is switched off`;
  if (suppressedBecause) return `No mail is sent to this address, because ${suppressedBecause}`;
  const all = channel.watchesSilentUntil[everyWatch] ?? 0;
  if (all > now) return `All alerts are snoozed here until ${momentText(all, timeZone)}`;
  const until = watch.kind === 'there' ? silentHereUntil(state) : 0;
  if (until === forever) return `Alerts of this watch are stopped for your ${title}`;
  if (until > now)
    return `Alerts of this watch are snoozed here until ${momentText(until, timeZone)}`;
  return `Alerts go to your ${title}`;
}

/** Until when this channel gets no alerts of the watch, epoch milliseconds; 0 or a past time if it gets them. */
export function silentHereUntil({
  channel,
  alert,
}: Pick<LinkedAlert, 'channel' | 'alert'>): number {
  return channel.watchesSilentUntil[alert.watchId] ?? 0;
}
