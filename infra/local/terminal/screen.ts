/** Writes to the terminal: lines, and colour only where a person sees it and wants it. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export interface Screen {
  line(text?: string): void;
  /** For what went wrong but doesn't end the run. */
  warning(text: string): void;
  paint(style: Style, text: string): string;
}

/** @param output `styleText` looks at it, NO_COLOR and FORCE_COLOR to decide on colour */
export function createScreen(output: NodeJS.WriteStream): Screen {
  const paint = (style: Style, text: string): string =>
    styleText(style, text, { stream: output, validateStream: true });
  return {
    paint,
    line: (text = '') => void output.write(`${text}\n`),
    warning: (text) => void output.write(`${paint('yellow', '!')} ${text}\n`),
  };
}
