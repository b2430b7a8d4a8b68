/**
 * Shared by the local commands: errors as one line with an exit code, and Ctrl-C that stops
 * everything. A second Ctrl-C exits at once.
 */
import { LocalRunError, messageOf, StandstillError } from './errors.ts';

const exitCodes = { ok: 0, fault: 1, badInput: 2 } as const;

/** Runs a command to its end. On Ctrl-C `stopping` aborts, and the command returns early. */
export async function runCommand(command: (stopping: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.fault);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await command(controller.signal);
    process.exit(exitCodes.ok);
  } catch (error) {
    process.exit(controller.signal.aborted ? exitCodes.ok : report(error));
  }
}

/** @returns the exit code */
function report(error: unknown): number {
  if (error instanceof LocalRunError) {
    process.stderr.write(`${error.message}\n`);
    return exitCodes.badInput;
  }
  if (error instanceof StandstillError) {
    process.stderr.write(`${error.message}\n`);
    return exitCodes.fault;
  }
  const detail = error instanceof Error ? error.stack : messageOf(error);
  process.stderr.write(`The local run failed because of a bug in Getin.\n${detail}\n`);
  return exitCodes.fault;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
