/**
 * Decides which output of a running stack a person sees: faults always, the functions' logs if
 * requested.
 */
import type { Observer } from '../resources/cloud.ts';
import type { AlertLines } from './alert-lines.ts';
import { shortenLogLine } from './log-lines.ts';
import type { Screen } from './screen.ts';

export interface ObserverOptions {
  screen: Screen;
  alerts: AlertLines;
  verbose: boolean;
}

export function createObserver({ screen, alerts, verbose }: ObserverOptions): Observer {
  return {
    logLine(functionLabel, line) {
      if (verbose)
        screen.line(screen.paint('dim', `${functionLabel.padEnd(12)} ${shortenLogLine(line)}`));
      alerts.read(line);
    },
    functionFailed(functionLabel, { errorType, errorMessage, trace }) {
      screen.warning(`${functionLabel} failed: ${errorType}: ${errorMessage}`);
      if (verbose) for (const line of trace) screen.line(screen.paint('dim', `  ${line}`));
    },
    trouble: (line) => screen.warning(line),
  };
}
