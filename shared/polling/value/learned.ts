// The numbers that the fleet has learned (fleet-learning.ts), which every value is computed with.
import type { UsualMoves } from './price-memory.ts';

export interface FleetLearning extends UsualMoves {
  alertsPerWatchDay: number;
  /** How much of the alerts come that the levels predict, and that the event's rate predicts. */
  mix: { levels: number; rate: number };
  /** The share of the alerts that the levels explain. */
  explained: number;
}
