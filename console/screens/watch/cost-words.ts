// What a watch costs, in words, before it is saved.
import type { RulePreview, Status } from '../../api/calls.ts';
import { count, dollars, plural } from '../../words/amounts.ts';

type Forecast = RulePreview['forecast'];

/** `24 pulls a day, $0.36`. */
export function perDayText(pulls: number, value: number): string {
  return `${plural(Math.ceil(pulls), 'pull')} a day, ${dollars(value)}`;
}

/** What comes on top, until the event, and who shares it. */
export function costText(forecast: Forecast): string {
  const { pulls_per_day_added: added, pulls_per_day_share: share, until_event: until } = forecast;
  if (added === 0) {
    return `Nothing more: other watches of this event need the same pulls. Its share of them is ${plural(Math.ceil(share), 'pull')} a day.`;
  }
  const whole = until
    ? `, ${plural(until.pulls_added, 'pull')} (${dollars(until.flat_value)}) until the event`
    : '';
  const shared = share < added ? ' Other watches of this event share them.' : '';
  const known = forecast.is_upper_bound
    ? ' It will be less if the market refreshes more rarely than we look.'
    : '';
  return `${whole}.${shared}${known}`;
}

/** `286 of today’s 500 pulls are left.` */
export function leftText({ pulls_today: { left, cap } }: Status): string {
  return `${count(left)} of today’s ${count(cap)} pulls are left.`;
}

/** The latencies to choose from: those of the forecast, and the one that the watch has. */
export function latencyOptions(forecast: Forecast, own: number) {
  const known = forecast.at_latencies.map((each) => ({
    seconds: each.latency_seconds,
    text: perDayText(each.pulls_per_day_added, each.flat_value_per_day),
  }));
  const mine = {
    seconds: own,
    text: perDayText(forecast.pulls_per_day_added, forecast.flat_value_per_day),
  };
  const all = known.some(({ seconds }) => seconds === own) ? known : [...known, mine];
  return all.sort((a, b) => a.seconds - b.seconds);
}
