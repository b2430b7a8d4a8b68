// Draws a chart as SVG: the values as a step line, the level as a dashed line, the last value with a dot, the
// lowest and the highest value, a few times.
import { chartAltText } from './alt-text.ts';
import { type ChartExtremes, type ChartFacts, type ChartPoint, extremesOf } from './chart.ts';
import { type ChartScale, chartSize, heightsBetween, scaleOf, stepPath } from './chart-scale.ts';
import { escapeText, fontFamily, type PlacedText, textElement, textWidth } from './svg-text.ts';
import { type ChartColors, type ChartTheme, chartColors } from './themes.ts';
import { timeMarks } from './time-marks.ts';

/** As large as a mail's text. On a phone a mail shows the picture at two thirds of its size. */
const smallSize = 15;
const lastSize = 20;
const dotRadius = 4.5;
/** Around the plot: the highest value above, the lowest value and the times below. */
const margins = { left: 1, top: 26, bottom: 48, right: 2 };
const timesBaseline = chartSize.height - 7;

interface Drawing {
  facts: ChartFacts;
  extremes: ChartExtremes;
  scale: ChartScale;
  colors: ChartColors;
}

/**
 * The picture of a chart.
 * @returns undefined for a chart without two points.
 */
export function chartSvg(facts: ChartFacts, theme: ChartTheme): string | undefined {
  const { points } = facts.chart;
  const extremes = extremesOf(points);
  if (!extremes) return undefined;
  const colors = chartColors[theme];
  const lastWidth = textWidth(lastText(facts, extremes), { size: lastSize });
  const { width, height } = chartSize;
  const area = {
    left: margins.left,
    right: width - margins.right - lastWidth - 2 * dotRadius - 4,
    top: margins.top,
    bottom: height - margins.bottom,
  };
  const drawing = { facts, extremes, scale: scaleOf(extremes, facts.level?.value, area), colors };
  const elements = [
    `<rect width="${width}" height="${height}" fill="${colors.surface}"/>`,
    ...timeElements(drawing),
    levelLine(drawing),
    `<path d="${stepPath(points, drawing.scale)}" fill="none" stroke="${colors.ink}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`,
    ...labels(drawing).map(textElement),
    ...lastElements(drawing),
  ];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const words = `role="img" aria-label="${escapeText(chartAltText(facts))}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fontFamily}" ${words}>${elements.join('')}</svg>`;
}

function timeElements({ facts, extremes, scale, colors }: Drawing): string[] {
  const { first, last } = extremes;
  const style = { size: smallSize, weight: 400, color: colors.muted } as const;
  return timeMarks(first[0], last[0], facts.chart.utcOffsetMinutes).flatMap(({ at, text }) => {
    const x = scale.x(at);
    const half = textWidth(text, style) / 2;
    const middle = Math.min(
      Math.max(x, margins.left + half),
      chartSize.width - margins.right - half,
    );
    const top = timesBaseline - smallSize - 5;
    return [
      `<path d="M${x} ${top}v4" stroke="${colors.line}"/>`,
      textElement({ ...style, text, x: middle, y: timesBaseline, anchor: 'middle' }),
    ];
  });
}

function levelLine({ scale, colors }: Drawing): string {
  if (scale.level === undefined) return '';
  const { left, right } = scale.area;
  const y = scale.y(scale.level);
  return `<path d="M${left} ${y}H${right}" stroke="${colors.accent}" stroke-width="1.5" stroke-dasharray="5 4"/>`;
}

/** The words in the plot: the highest and the lowest value, and the level where it is free. */
function labels(drawing: Drawing): PlacedText[] {
  const ends = extremeLabels(drawing);
  const level = levelLabel(drawing, ends);
  return level ? [level, ...ends] : ends;
}

function extremeLabels({ facts, extremes, scale, colors }: Drawing): PlacedText[] {
  const { last, lowest, highest } = extremes;
  if (lowest[1] === highest[1]) return [];
  const style = {
    size: smallSize,
    weight: 400,
    color: colors.muted,
    outline: colors.surface,
  } as const;
  const label = ([at, value]: ChartPoint, below: boolean): PlacedText[] => {
    // The last value has its own words.
    if (value === last[1] && facts.tone !== 'none') return [];
    const text = facts.valueText(value);
    const half = textWidth(text, style) / 2;
    const { left, right } = scale.area;
    const x = Math.min(Math.max(scale.x(at), left + half), right - 2 * dotRadius - half);
    const y = scale.y(value) + (below ? smallSize + 4 : -7);
    return [{ ...style, text, x, y, anchor: 'middle' }];
  };
  return [...label(highest, false), ...label(lowest, true)];
}

/** The level's words stand on its line or below it, where neither the values nor other words are. */
function levelLabel(drawing: Drawing, others: readonly PlacedText[]): PlacedText | undefined {
  const { facts, scale, colors } = drawing;
  if (!facts.level || scale.level === undefined) return undefined;
  const line = scale.y(scale.level);
  const style = {
    size: smallSize,
    weight: 400,
    color: colors.accent,
    outline: colors.surface,
  } as const;
  const width = textWidth(facts.level.label, style);
  const { left, right } = scale.area;
  const { label: text } = facts.level;
  const places = [0, 0.25, 0.5, 0.75].flatMap((part) => {
    const x = Math.round(left + part * (right - left));
    const stands = x + width > right ? [] : [line - 6, line + smallSize + 2];
    return stands.map((y): PlacedText => ({ ...style, text, x, y, anchor: 'start' }));
  });
  return places.find((place) => isFree(place, drawing, others)) ?? places[0];
}

function isFree(
  place: PlacedText,
  { facts, scale }: Drawing,
  others: readonly PlacedText[],
): boolean {
  const box = boxOf(place);
  const heights = heightsBetween(facts.chart.points, scale, [box.left, box.right]);
  if (heights.bottom > box.top && heights.top < box.bottom) return false;
  return others.map(boxOf).every((other) => {
    const isBeside = other.left > box.right || other.right < box.left;
    return isBeside || other.top > box.bottom || other.bottom < box.top;
  });
}

function boxOf({ text, size, x, y, anchor }: PlacedText) {
  const width = textWidth(text, { size });
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - size, bottom: y + 3 };
}

function lastText({ valueText, tone }: ChartFacts, { last }: ChartExtremes): string {
  return tone === 'none' ? '' : valueText(last[1]);
}

function lastElements({ facts, extremes, scale, colors }: Drawing): string[] {
  const { last } = extremes;
  const [x, y] = [scale.x(last[0]), scale.y(last[1])];
  if (facts.tone === 'none') {
    return [
      `<circle cx="${x}" cy="${y}" r="${dotRadius}" fill="${colors.surface}" stroke="${colors.muted}" stroke-width="1.5"/>`,
    ];
  }
  const color = colors[facts.tone];
  const words: PlacedText = {
    ...{ text: lastText(facts, extremes), size: lastSize, weight: 600, color },
    ...{ x: x + dotRadius + 6, y: y + lastSize * 0.36, anchor: 'start' as const },
  };
  return [`<circle cx="${x}" cy="${y}" r="${dotRadius}" fill="${color}"/>`, textElement(words)];
}
