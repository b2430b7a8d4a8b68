// A chart in a sentence, for people who don't see the picture.
import { dayText, spanText } from './calendar.ts';
import { type ChartExtremes, type ChartFacts, type ChartPoint, extremesOf } from './chart.ts';

/** Within less time, the day says nothing. */
const dayTellsAfterMs = 24 * 3_600_000;

/**
 * "Get-in of the last 7 days: from $164 down to $118; lowest $112 on Nov 27. Your level: $120."
 * Plain text: the caller that puts it into markup escapes it.
 * @returns '' for a chart without two points.
 */
export function chartAltText(facts: ChartFacts): string {
  const extremes = extremesOf(facts.chart.points);
  if (!extremes) return '';
  const { first, last } = extremes;
  const span = spanText(last[0] - first[0]);
  const parts = [movement(facts, extremes), ...extremeWords(facts, extremes)];
  const level = facts.level ? ` ${facts.level.words}.` : '';
  return `${facts.title} of the last ${span}: ${parts.join('; ')}.${level}`;
}

function movement({ valueText }: ChartFacts, { first, last, lowest, highest }: ChartExtremes) {
  const [from, to] = [valueText(first[1]), valueText(last[1])];
  if (last[1] !== first[1]) return `from ${from} ${last[1] < first[1] ? 'down' : 'up'} to ${to}`;
  return lowest[1] === highest[1] ? `${to} all the time` : `from ${from} back to ${to}`;
}

/** The lowest and the highest value, unless the chart begins or ends with it. */
function extremeWords(facts: ChartFacts, { first, last, lowest, highest }: ChartExtremes) {
  const ends = [first[1], last[1]];
  const isLong = last[0] - first[0] >= dayTellsAfterMs;
  const words = (name: string, [at, value]: ChartPoint): string[] => {
    if (ends.includes(value)) return [];
    const day = isLong ? ` on ${dayText(at, facts.chart.utcOffsetMinutes)}` : '';
    return [`${name} ${facts.valueText(value)}${day}`];
  };
  return [...words('lowest', lowest), ...words('highest', highest)];
}
