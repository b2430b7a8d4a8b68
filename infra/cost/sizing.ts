/**
 * The duration and cost of a function at a memory size, and the size that the rule of
 * infra/README.md gives it. Pure arithmetic on measured values.
 */

/** Memory that gives a whole processor; Lambda gives processor time in proportion to memory. */
export const wholeCpuMb = 1_769;
export const sizesMb = [256, 512, 1_024, wholeCpuMb] as const;

export interface Work {
  /** Processor time of one invocation on a whole processor. */
  cpuMs: number;
  /** Time that one invocation waits for other servers. */
  waitMs: number;
  peakRssMb: number;
}

export interface SizedWork {
  memoryMb: number;
  durationMs: number;
  dollarsPerMillion: number;
}

/** Share of the memory that the peak may use. */
const mostFilled = 2 / 3;
/** How many times longer an invocation may take than on a whole processor. */
const mostSlowdown = 2;

/**
 * Less than a whole processor stretches the processor time, not the waits. A second processor isn't
 * used.
 */
export function durationAt({ cpuMs, waitMs }: Omit<Work, 'peakRssMb'>, memoryMb: number): number {
  return waitMs + cpuMs / Math.min(1, memoryMb / wholeCpuMb);
}

/** The cost of a million invocations at a size. */
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

/**
 * The smallest size that keeps a third of the memory free and is at most twice as slow as the
 * largest.
 */
export function chooseSize(work: Work): number {
  const fastestMs = durationAt(work, wholeCpuMb);
  const fitting = sizesMb.find(
    (memoryMb) =>
      work.peakRssMb <= memoryMb * mostFilled &&
      durationAt(work, memoryMb) <= fastestMs * mostSlowdown,
  );
  return fitting ?? wholeCpuMb;
}
