// Words in an SVG picture: escaped, and with a known width, so that they can be placed without a browser.

export const fontFamily = 'Inter';

export interface TextStyle {
  size: number;
  weight: 400 | 600;
  color: string;
}

/** The widths of Inter's characters as parts of the font size, rounded up; the others have `usualWidth`. */
const widths = new Map<string, number>(
  (
    [
      [0.35, " .,:;·!'’ijlI"],
      [0.45, '1t|()[]/\\`fr'],
      [0.55, '{}-_^–"“”*?s'],
      [0.65, '2356789#acdeghknopquvxyzbEFJLP'],
      [0.85, 'wNOQ'],
      [1.05, 'mMW%@…'],
    ] as const
  ).flatMap(([width, characters]) =>
    [...characters].map((character) => [character, width] as const),
  ),
);
const usualWidth = 0.75;

/** An upper bound of a text's width, CSS pixels; at most a quarter too much for prices and days. */
export function textWidth(text: string, { size }: Pick<TextStyle, 'size'>): number {
  return [...text].reduce((sum, char) => sum + (widths.get(char) ?? usualWidth), 0) * size;
}

export interface PlacedText extends TextStyle {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  anchor: 'start' | 'middle' | 'end';
  /** The colour of an outline that keeps the words apart from lines behind them. */
  outline?: string;
}

export function textElement({
  text,
  x,
  y,
  anchor,
  size,
  weight,
  color,
  outline,
}: PlacedText): string {
  const around = outline
    ? ` stroke="${outline}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`
    : '';
  const place = `x="${rounded(x)}" y="${rounded(y)}" text-anchor="${anchor}"`;
  return `<text ${place} font-size="${size}" font-weight="${weight}" fill="${color}"${around}>${escapeText(text)}</text>`;
}

/** Text as content or attribute of an SVG element. Characters that XML forbids are left out. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** What XML forbids, and the control characters that it permits. */
const forbidden = /[\p{Cc}\ufffe\uffff]/gu;

function rounded(length: number): number {
  return Math.round(length * 100) / 100;
}
