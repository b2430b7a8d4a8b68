/** Writes lines to the terminal, with colour if the terminal and the person's settings allow it. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export interface Screen {
  line(text?: string): void;
  /** For faults that don't end the run. */
  warning(text: string): void;
  paint(style: Style, text: string): string;
}

/** @param output `styleText` decides on colour by this stream, NO_COLOR and FORCE_COLOR */
export function createScreen(output: NodeJS.WriteStream): Screen {
  const paint = (style: Style, text: string): string =>
    styleText(style, text, { stream: output, validateStream: true });
  return {
    paint,
    line: (text = '') => void output.write(`${text}\n`),
    warning: (text) => void output.write(`${paint('yellow', '!')} ${text}\n`),
  };
}
