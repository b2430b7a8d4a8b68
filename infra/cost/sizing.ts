/**
 * What a function would take and cost at a memory size, and which size it gets by the rule of
 * infra/README.md. Plain arithmetic on measured figures.
 */

/** A whole processor's worth of memory; Lambda gives processor time in proportion to memory. */
export const wholeCpuMb = 1_769;
export const sizesMb = [256, 512, 1_024, wholeCpuMb] as const;

export interface Work {
  /** Of one invocation, on a whole processor. */
  cpuMs: number;
  /** What it waits for others. */
  waitMs: number;
  peakRssMb: number;
}

export interface SizedWork {
  memoryMb: number;
  durationMs: number;
  dollarsPerMillion: number;
}

/** Of the memory, what its peak may fill. */
const mostFilled = 2 / 3;
/** An invocation may take as many times what it takes on a whole processor. */
const mostSlowdown = 2;

/** Its processor time stretches below a whole processor; its waits don't. A second one isn't used. */
export function durationAt({ cpuMs, waitMs }: Omit<Work, 'peakRssMb'>, memoryMb: number): number {
  return waitMs + cpuMs / Math.min(1, memoryMb / wholeCpuMb);
}

/** What a million invocations cost at a size. */
export function sizeWork(
  work: Work,
  memoryMb: number,
  prices: { lambdaPerGbSecondArm: number; lambdaPerMillionRequests: number },
): SizedWork {
  const durationMs = durationAt(work, memoryMb);
  const gbSeconds = (durationMs / 1_000) * (memoryMb / 1_024);
  return {
    memoryMb,
    durationMs,
    dollarsPerMillion:
      gbSeconds * 1_000_000 * prices.lambdaPerGbSecondArm + prices.lambdaPerMillionRequests,
  };
}

/** The smallest size that holds the peak with a third to spare and is at most twice as slow as the largest. */
export function chooseSize(work: Work): number {
  const fastestMs = durationAt(work, wholeCpuMb);
  const fitting = sizesMb.find(
    (memoryMb) =>
      work.peakRssMb <= memoryMb * mostFilled &&
      durationAt(work, memoryMb) <= fastestMs * mostSlowdown,
  );
  return fitting ?? wholeCpuMb;
}
