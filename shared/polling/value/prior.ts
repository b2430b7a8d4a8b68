// What Getin assumes about prices before it has seen one: round numbers between what the recorded games and the
// simulator say, which `node test/proof/bench/polling/learn-prior.ts` prints for both. The fleet's own experience
// replaces all but the table.

export const passageTable = {
  depths: [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 6, 9],
  chances: [1, 0.79, 0.6, 0.44, 0.31, 0.135, 0.055, 0.025, 0.012, 0.004, 0.001, 0],
} as const;

export const prior = {
  /** The variance of the log price over a day. */
  variancePerDay: 0.0025,
  /** From 1 refresh to 4, to 16, to 64. */
  growth: [3, 3, 3],
  alertsPerWatchDay: 0.2,
  /** How much of the alerts that the levels predict come, and of those that the event's rate predicts. */
  mix: { levels: 0.5, rate: 0.4 },
  /** The share of the alerts that the levels explain. */
  explained: 0.5,
} as const;
