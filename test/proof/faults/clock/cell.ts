// A run's clock inside one process: the machine's time plus an offset that all threads of the
// process share. It moves only on command.
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const name = 'getin.faults.clock';
const machineNow = Date.now.bind(Date);
const cell = new Float64Array(isMainThread ? openCell() : joinCell());

/** Every thread that starts later inherits it. */
function openCell(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  setEnvironmentData(name, buffer);
  return buffer;
}

function joinCell(): SharedArrayBuffer {
  const buffer = getEnvironmentData(name);
  if (buffer instanceof SharedArrayBuffer) return buffer;
  throw new Error('This thread was started by a process that has no clock of a run.');
}

/** Epoch milliseconds by the run's clock. */
export function runNow(): number {
  return Math.floor(machineNow() + (cell[0] ?? 0));
}

/** How far the run is ahead of the machine, milliseconds. */
export function setOffset(offsetMs: number): void {
  cell[0] = offsetMs;
}
